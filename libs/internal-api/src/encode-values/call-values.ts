import { isUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, Principal } from '@heddle/contracts-messages';
import { MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { Principal as PrincipalMessage } from '../generated/heddle/common/v1/common.js';

/** On whose behalf a call is made: the scope of everything it reads and writes, so it is never taken as it comes. */
export function principalOf(message: PrincipalMessage | undefined): Principal {
  const { accountId = '', deploymentId = '' } = message ?? {};
  if (isUuid(accountId) && isUuid(deploymentId)) {
    return { accountId: accountId as AccountId, deploymentId: deploymentId as DeploymentId };
  }
  throw new MalformedCallError('the call has no principal with account_id and deployment_id');
}

/** `what`: such as `job`. */
export function idOf<Id extends string>(id: string, what: string): Id {
  if (isUuid(id)) return id as Id;
  throw new MalformedCallError(`the call names no ${what}`);
}

export function idsOf<Id extends string>(ids: readonly string[], name: string, limit: number): readonly Id[] {
  if (ids.length <= limit && ids.every(isUuid)) return ids as readonly Id[];
  throw new MalformedCallError(`${name} must be a list of at most ${limit} UUIDs`);
}

/** A text as a client wrote it: half of a surrogate pair stands in JSON and not in UTF-8. `name` is that of the field. */
export function textOfJson(json: string, name: string): string {
  try {
    const text: unknown = JSON.parse(json);
    if (typeof text === 'string') return text;
  } catch {
    // Refused like JSON of anything else.
  }
  throw new MalformedCallError(`${name} must be JSON of a text`);
}
