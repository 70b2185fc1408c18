import { isUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, Principal } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';

/**
 * The arguments of a call by their names: only that they are there. What the handler depends on it checks by type, for a
 * caller may send any JSON.
 */
export function argumentsOf<Arguments extends object>(
  head: unknown,
  ...required: (keyof Arguments & string)[]
): Arguments {
  if (typeof head !== 'object' || head === null) throw new MalformedParcelError('the call has no arguments');
  const missing = required.find((name) => !(name in head));
  if (missing !== undefined) throw new MalformedParcelError(`the call has no argument '${missing}'`);
  return head as Arguments;
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

/** Text of `max` characters at most. Throws MalformedParcelError for anything else. */
export function textIn(value: unknown, name: string, max: number): string {
  if (typeof value === 'string' && value.length <= max) return value;
  throw new MalformedParcelError(`'${name}' of the call is not a text of at most ${max} characters`);
}

/** On whose behalf a call is made: the scope of everything it reads and writes, so it is never taken as it comes. */
export function principalIn(head: unknown): Principal {
  const { principal } = argumentsOf<{ principal: Partial<Principal> | null }>(head, 'principal');
  const { accountId, deploymentId } = principal ?? {};
  if (!isId(accountId) || !isId(deploymentId)) {
    throw new MalformedParcelError('the call has no principal with accountId and deploymentId');
  }
  return { accountId: accountId as AccountId, deploymentId: deploymentId as DeploymentId };
}
