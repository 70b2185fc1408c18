import { isUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, Principal } from '@heddle/contracts-messages';
import { MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { Principal as PrincipalMessage } from '../generated/heddle/common/v1/common.js';

/** The principal of a call. It scopes every read and write, so both ids are checked. */
export function principalOf(message: PrincipalMessage | undefined): Principal {
  const { accountId = '', deploymentId = '' } = message ?? {};
  if (isUuid(accountId) && isUuid(deploymentId)) {
    return { accountId: accountId as AccountId, deploymentId: deploymentId as DeploymentId };
  }
  throw new MalformedCallError('the call has no principal with account_id and deployment_id');
}

/** `what`: for example `job`. */
export function idOf<Id extends string>(id: string, what: string): Id {
  if (isUuid(id)) return id as Id;
  throw new MalformedCallError(`the call names no ${what}`);
}

export function idsOf<Id extends string>(ids: readonly string[], name: string, limit: number): readonly Id[] {
  if (ids.length <= limit && ids.every(isUuid)) return ids as readonly Id[];
  throw new MalformedCallError(`${name} must be a list of at most ${limit} UUIDs`);
}

/** Decodes a client's text from JSON, because UTF-8 cannot hold a lone surrogate. `name`: name of the field. */
export function textOfJson(json: string, name: string): string {
  try {
    const text: unknown = JSON.parse(json);
    if (typeof text === 'string') return text;
  } catch {
    // Refused below, like JSON of another type.
  }
  throw new MalformedCallError(`${name} must be JSON of a text`);
}
