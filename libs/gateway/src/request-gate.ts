import { accepted, rejected, SELF_HOSTED_PRINCIPAL, SURFACES } from '@heddle/contracts-messages';
import type { Answer, Principal, Rejection } from '@heddle/contracts-messages';
import { ROUTES } from '@heddle/contracts-api-v2';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitted } from './authenticate/admission.js';
import { BearerToken } from './authenticate/bearer-token.js';
import type { GatewaySettings } from './settings.js';
import { applyCors } from './guard-origin/cors.js';
import { OriginGuard } from './guard-origin/origin-guard.js';
import { TokenBuckets } from './limit-job-reads/token-buckets.js';

/** Routes whose body is passed on as an unread stream: `METHOD /path` as in Fastify. */
export const STREAMED_BODIES: ReadonlySet<string> = new Set(['POST /api/v2/assets']);

const JOB_READS: ReadonlySet<string> = new Set(
  ROUTES.filter(({ jobRead }) => jobRead).map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')),
);

/**
 * The checks before a route runs, in the order of decisions.md: origin, (route, method), authentication, rate limit.
 */
export class RequestGate {
  readonly #origins: OriginGuard | null;
  readonly #token: BearerToken;
  readonly #reads: TokenBuckets;

  constructor(settings: GatewaySettings) {
    this.#origins = SURFACES[settings.surface].originGuard ? new OriginGuard(settings) : null;
    this.#token = new BearerToken(settings.staticToken);
    this.#reads = new TokenBuckets(settings.readRate, settings.readBurst);
  }

  /** Runs before routing. It may answer itself (a preflight): then `reply.sent` is true. */
  guard(request: FastifyRequest, reply: FastifyReply): Rejection | null {
    if (this.#origins === null) return null;
    const { host, origin } = request.headers;
    const rejection = this.#origins.check({ host, origin, secFetchSite: request.headers['sec-fetch-site'] });
    if (rejection === null) applyCors(this.#origins, request, reply);
    return rejection;
  }

  async admit(request: FastifyRequest): Promise<Rejection | null> {
    const answer = await this.#authenticate(request);
    if (!answer.ok) return answer.rejection;
    admitted(request, answer.value);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !JOB_READS.has(request.routeOptions.url ?? '')) return null;
    return this.#reads.take(answer.value.accountId);
  }

  /** The static token belongs to the only account of the self-hosted surface. Keys of accounts are looked up here. */
  #authenticate({ headers }: FastifyRequest): Promise<Answer<Principal>> {
    const refused = this.#token.check(headers.authorization);
    return Promise.resolve(refused === null ? accepted(SELF_HOSTED_PRINCIPAL) : rejected(refused));
  }
}
