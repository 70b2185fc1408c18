import type { Principal } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';

const principals = new WeakMap<FastifyRequest, Principal>();

/** Attaches to a request on whose behalf it is made. */
export function admitted(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal);
}

/** Throws for a request without admission, which has no account. */
export function principalOf(request: FastifyRequest): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error('the request was not admitted');
  return principal;
}
