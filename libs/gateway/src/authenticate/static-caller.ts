import { accepted, refuse, rejected, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { Answer } from '@heddle/contracts-messages';
import { BearerToken } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';
import type { Admission } from './admission.js';

const OWNER: Answer<Admission> = accepted({ principal: SELF_HOSTED_PRINCIPAL, limits: null, holder: null });
const UNAUTHORIZED = rejected(refuse('unauthorized', { case: 'credential' }));

/** Self-hosted: the static token belongs to the only account; without one, so does everybody (api-v2, Authentication 2). */
export class StaticCaller {
  readonly #token: BearerToken | null;

  constructor(token: string | null) {
    this.#token = token === null ? null : new BearerToken(token);
  }

  of({ headers }: Pick<FastifyRequest, 'headers'>): Answer<Admission> {
    return this.#token === null || this.#token.matches(headers.authorization) ? OWNER : UNAUTHORIZED;
  }
}
