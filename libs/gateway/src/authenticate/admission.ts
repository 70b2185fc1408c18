import type { AccountId, AccountLimits, KeyHolder, Principal } from '@heddle/contracts-messages';
import { RequestNote } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';

/** On whose behalf a request is made, and the limits that its account has of its own. */
export interface Admission {
  readonly principal: Principal;
  /** Null: the settings hold. */
  readonly limits: AccountLimits | null;
  /** By whose key it was admitted; null: not by one. */
  readonly holder: KeyHolder | null;
}

const admissions = new RequestNote<Admission>();

export function admit(request: FastifyRequest, admission: Admission): void {
  admissions.set(request, admission);
}

/** Throws for a request without admission, which has no account. */
export function admissionOf(request: FastifyRequest): Admission {
  const admission = admissions.of(request);
  if (admission === undefined) throw new Error('the request was not admitted');
  return admission;
}

/** Null for a request without admission. */
export function accountOf(request: FastifyRequest): AccountId | null {
  return admissions.of(request)?.principal.accountId ?? null;
}
