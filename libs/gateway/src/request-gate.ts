import { Inject, Injectable, Optional } from '@nestjs/common';
import { refuse, SURFACES } from '@heddle/contracts-messages';
import type { AccountId, AccountLimits, Rejection } from '@heddle/contracts-messages';
import { ROUTES } from '@heddle/contracts-api-v2';
import { checkCredentialsForm, OriginGuard } from '@heddle/platform-http';
import { SIGNED_PATH, TargetSigner } from '@heddle/platform-blob-store/target-signer';
import type { Route } from '@heddle/contracts-api-v2';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountOf, admit } from './authenticate/admission.js';
import type { Admission } from './authenticate/admission.js';
import { CallerCheck } from './authenticate/caller-check.js';
import { GatewaySettings } from './settings.js';
import { applyCors } from './guard-origin/cors.js';
import { ReadLimit } from './limit-job-reads/read-limit.js';

export const STREAMED_BODIES = namesOf(ROUTES.filter(({ streamed }) => streamed));
export const REPEATABLE = namesOf(ROUTES.filter(({ repeatable }) => repeatable));

const routes = new Map<string, Map<string, Route>>();
for (const route of ROUTES) {
  const path = routedPath(route);
  const methods = routes.get(path) ?? new Map<string, Route>();
  routes.set(path, methods.set(route.method, route));
}

/**
 * The checks before a route runs, in the order of accounts.md: origin, (route, method), authentication, scope, host,
 * rate limit.
 */
@Injectable()
export class RequestGate {
  readonly #origins: OriginGuard | null;

  constructor(
    private readonly settings: GatewaySettings,
    private readonly callers: CallerCheck,
    private readonly reads: ReadLimit,
    @Optional() @Inject(TargetSigner) private readonly signer: TargetSigner | null,
  ) {
    this.#origins = SURFACES[settings.surface].originGuard ? new OriginGuard(settings) : null;
  }

  /**
   * Runs before every other check, so that a signed URL gets one refusal whatever is wrong with it, and strangers cause
   * nothing but the comparison of its signature.
   */
  verify({ raw: { url = '' } }: FastifyRequest): Rejection | null {
    if (!this.#isSigned(url) || (this.signer?.verify(url, new Date()) ?? null) !== null) return null;
    return refuse('forbidden', { case: 'signed_url' });
  }

  /** Runs before routing. It may answer itself (a preflight): then `reply.sent` is true. */
  guard(request: FastifyRequest, reply: FastifyReply): Rejection | null {
    const rejection = this.#guardOrigin(request, reply);
    if (rejection !== null || reply.sent || this.#isSigned(request.raw.url ?? '')) return rejection;
    return checkCredentialsForm(request.raw) ?? checkEscapes(request.raw.url ?? '');
  }

  #isSigned(target: string): boolean {
    return SURFACES[this.settings.surface].content === 'redirect' && target.startsWith(SIGNED_PATH);
  }

  #guardOrigin(request: FastifyRequest, reply: FastifyReply): Rejection | null {
    if (this.#origins === null) return null;
    const { host, origin } = request.headers;
    const rejection = this.#origins.check({ host, origin, secFetchSite: request.headers['sec-fetch-site'] });
    if (rejection === null) applyCors(this.#origins, request, reply);
    return rejection;
  }

  async admit(request: FastifyRequest): Promise<Rejection | null> {
    const route = routeOf(request);
    // Its target carries its permission, which its handler reads: a credential beside it is not read.
    if (route?.signed === true) return null;
    const found = this.callers.of(request, route);
    const answer = found instanceof Promise ? await found : found;
    if (!answer.ok) return answer.rejection;
    admit(request, answer.value);
    return route?.jobRead === true ? this.#read(answer.value) : null;
  }

  /** Null for a request without admission, and on a surface of one account. */
  accountOf(request: FastifyRequest): AccountId | null {
    return SURFACES[this.settings.surface].credential === 'static' ? null : accountOf(request);
  }

  #read({ principal, limits }: Admission): Rejection | null {
    const { rate, burst } = readLimits(limits, this.settings);
    const retryAfterSeconds = this.reads.take(principal.accountId, rate, burst);
    return retryAfterSeconds === null
      ? null
      : refuse('rate_limited', { case: 'job_reads', rate }, { retryAfterSeconds });
  }
}

/** `METHOD /path` as in Fastify. */
function namesOf(found: readonly Route[]): ReadonlySet<string> {
  return new Set(found.map((route) => `${route.method} ${routedPath(route)}`));
}

function routedPath({ path }: Route): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Null for a path that is not an operation of v2, such as the start page. */
function routeOf({ method, routeOptions }: FastifyRequest): Route | null {
  const methods = routes.get(routeOptions.url ?? '');
  return methods?.get(method) ?? (method === 'HEAD' ? (methods?.get('GET') ?? null) : null);
}

function readLimits(
  own: AccountLimits | null,
  { readRate, readBurst }: GatewaySettings,
): { rate: number; burst: number } {
  return { rate: own?.readRate ?? readRate, burst: own?.readBurst ?? readBurst };
}

/**
 * The router refuses malformed escapes in a path only. In a query they would be decoded to a text that the client did
 * not mean.
 */
function checkEscapes(target: string): Rejection | null {
  const query = target.indexOf('?');
  if (query === -1 || !target.includes('%', query)) return null;
  try {
    decodeURIComponent(target.slice(query));
    return null;
  } catch {
    return refuse('bad_request', { case: 'target_encoding' });
  }
}
