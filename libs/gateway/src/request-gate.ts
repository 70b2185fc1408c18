import { Inject, Injectable, Optional } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, KEY_CHECK, refuse, SURFACES } from '@heddle/contracts-messages';
import type { AccountLimits, Answer, DeploymentDirectory, KeyCheck, Rejection } from '@heddle/contracts-messages';
import { ROUTES } from '@heddle/contracts-api-v2';
import { checkCredentialsForm, OriginGuard } from '@heddle/platform-http';
import { SIGNED_PATH, TargetSigner } from '@heddle/platform-blob-store/target-signer';
import type { Route } from '@heddle/contracts-api-v2';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit } from './authenticate/admission.js';
import type { Admission } from './authenticate/admission.js';
import { KeyCaller } from './authenticate/key-caller.js';
import { FailedKeys } from './authenticate/failed-keys.js';
import { StaticCaller } from './authenticate/static-caller.js';
import { GatewaySettings } from './settings.js';
import { applyCors } from './guard-origin/cors.js';
import { ReadLimit } from './limit-job-reads/read-limit.js';
import { SurfaceHosts } from './resolve-surface/surface-hosts.js';

/** Routes whose body is passed on as an unread stream: `METHOD /path` as in Fastify. */
export const STREAMED_BODIES: ReadonlySet<string> = new Set(['POST /api/v2/assets']);

const routes = new Map<string, Map<string, Route>>();
for (const route of ROUTES) {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1');
  const methods = routes.get(path) ?? new Map<string, Route>();
  routes.set(path, methods.set(route.method, route));
}

/**
 * The checks before a route runs, in the order of accounts.md: origin, (route, method), authentication, scope, host, rate limit.
 */
@Injectable()
export class RequestGate {
  readonly #origins: OriginGuard | null;
  readonly #callerOf: (request: FastifyRequest, route: Route | null) => Answer<Admission> | Promise<Answer<Admission>>;
  @Inject() private readonly reads!: ReadLimit;

  constructor(
    private readonly settings: GatewaySettings,
    @Optional() @Inject(KEY_CHECK) keys: KeyCheck | null,
    @Optional() @Inject(DEPLOYMENT_DIRECTORY) directory: DeploymentDirectory | null,
    @Optional() @Inject(TargetSigner) private readonly signer: TargetSigner | null,
  ) {
    const { credential, originGuard } = SURFACES[settings.surface];
    this.#origins = originGuard ? new OriginGuard(settings) : null;
    if (credential === 'static') {
      const owner = new StaticCaller(settings.staticToken);
      this.#callerOf = (request) => owner.of(request);
      return;
    }
    if (!keys || !directory) throw new Error(`the ${settings.surface} surface needs keys and deployments`);
    const hosts = new SurfaceHosts(settings, directory);
    const caller = new KeyCaller(keys, new FailedKeys(settings.authFailures), hosts, settings);
    this.#callerOf = (request, route) => caller.of(request, route?.scope ?? null);
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
    return checkCredentialsForm(request.raw);
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
    const found = this.#callerOf(request, route);
    const answer = found instanceof Promise ? await found : found;
    if (!answer.ok) return answer.rejection;
    admit(request, answer.value);
    return route?.jobRead === true ? this.#read(answer.value) : null;
  }

  #read({ principal, limits }: Admission): Rejection | null {
    const { rate, burst } = readLimits(limits, this.settings);
    const retryAfterSeconds = this.reads.take(principal.accountId, rate, burst);
    return retryAfterSeconds === null
      ? null
      : refuse('rate_limited', { case: 'job_reads', rate }, { retryAfterSeconds });
  }
}

/** Null for what is no operation of v2, such as the start page. */
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
