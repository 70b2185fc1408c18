import type { Scope } from '@heddle/contracts-api-v2';
import { accepted, notFound, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, KeyCheck, KeyHolder } from '@heddle/contracts-messages';
import { bearerIn } from '@heddle/platform-http';
import type { FailedCredentials } from '@heddle/platform-http/failed-credentials';
import type { FastifyRequest } from 'fastify';
import { requestHost } from '../resolve-surface/request-host.js';
import type { SurfaceHosts } from '../resolve-surface/surface-hosts.js';
import type { Admission } from './admission.js';

const UNAUTHORIZED = rejected(refuse('unauthorized', { case: 'credential' }));
const SUSPENDED = rejected(refuse('forbidden', { case: 'suspended' }));

/** Managed and dedicated: the account comes from the key, the deployment from the host (accounts, Order of checks). */
export class KeyCaller {
  constructor(
    private readonly keys: KeyCheck,
    private readonly failures: FailedCredentials,
    private readonly hosts: SurfaceHosts,
    private readonly settings: { readonly trustForwarded: boolean },
  ) {}

  /** `scope`: the scope that the route requires; null: every valid key may call it. */
  of(request: FastifyRequest, scope: Scope | null): Answer<Admission> | Promise<Answer<Admission>> {
    const key = bearerIn(request.headers.authorization);
    if (key === null) return UNAUTHORIZED;
    const found = this.keys.check(key);
    return found instanceof Promise
      ? found.then((holder) => this.#judged(request, key, holder, scope))
      : this.#judged(request, key, found, scope);
  }

  #judged(request: FastifyRequest, key: string, holder: KeyHolder | null, scope: Scope | null): Answer<Admission> {
    if (holder === null) {
      const retryAfterSeconds = this.keys.isWellFormed(key) ? this.failures.failed(request.ip) : null;
      if (retryAfterSeconds === null) return UNAUTHORIZED;
      return rejected(refuse('rate_limited', { case: 'wrong_keys' }, { retryAfterSeconds }));
    }
    if (holder.suspended) return SUSPENDED;
    if (scope !== null && !holder.scopes.has(scope)) return rejected(refuse('forbidden', { case: 'scope', scope }));
    const served = this.hosts.deploymentOf(requestHost(request.headers, this.settings));
    // An unknown host, a deleted deployment and one of another account get one answer.
    if (served === null || (served.accountId !== null && served.accountId !== holder.accountId)) return notFound();
    const { deploymentId } = served;
    return accepted({ principal: { accountId: holder.accountId, deploymentId }, limits: holder.limits, holder });
  }
}
