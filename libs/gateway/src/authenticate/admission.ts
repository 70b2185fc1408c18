import type { Principal } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import type { Scope, SurfaceName } from '../surface-capabilities.js';

/** On whose behalf a request is made, and its permissions. */
export interface Admission {
  readonly principal: Principal;
  readonly surface: SurfaceName;
  readonly scopes: readonly Scope[];
}

const admissions = new WeakMap<FastifyRequest, Admission>();

/** Attaches the admission to its request. */
export function admitted(request: FastifyRequest, admission: Admission): void {
  admissions.set(request, admission);
}

/** Throws for a request without admission, which has no account. */
export function principalOf(request: FastifyRequest): Principal {
  const admission = admissions.get(request);
  if (admission === undefined) throw new Error('the request was not admitted');
  return admission.principal;
}
