import { isUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, Principal } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';

/** The arguments of a call by their names. Callers are services of ours: what they leave out is checked, not how they lie. */
export function argumentsOf<Arguments extends object>(
  head: unknown,
  ...required: (keyof Arguments & string)[]
): Arguments {
  if (typeof head !== 'object' || head === null) throw new MalformedParcelError('the call has no arguments');
  const missing = required.find((name) => !(name in head));
  if (missing !== undefined) throw new MalformedParcelError(`the call has no argument '${missing}'`);
  return head as Arguments;
}

/** On whose behalf a call is made: the scope of everything it reads and writes, so it is never taken as it comes. */
export function principalIn(head: unknown): Principal {
  const { principal } = argumentsOf<{ principal: Partial<Principal> | null }>(head, 'principal');
  const { accountId, deploymentId } = principal ?? {};
  if (!isUuid(String(accountId)) || !isUuid(String(deploymentId))) {
    throw new MalformedParcelError('the call has no principal with accountId and deploymentId');
  }
  return { accountId: accountId as AccountId, deploymentId: deploymentId as DeploymentId };
}
