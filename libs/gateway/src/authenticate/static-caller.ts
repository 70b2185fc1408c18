import { accepted, rejected, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { Answer } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import type { Admission } from './admission.js';
import { BearerToken } from './bearer-token.js';

const OWNER: Answer<Admission> = accepted({ principal: SELF_HOSTED_PRINCIPAL, limits: null });

/** Self-hosted: the static token, if there is one, belongs to the only account. */
export class StaticCaller {
  readonly #token: BearerToken;

  constructor(token: string | null) {
    this.#token = new BearerToken(token);
  }

  of({ headers }: FastifyRequest): Answer<Admission> {
    const refused = this.#token.check(headers.authorization);
    return refused === null ? OWNER : rejected(refused);
  }
}
