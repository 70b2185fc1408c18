import type { Rejection } from '@heddle/contracts-messages';

export interface OriginGuardOptions {
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
}

export interface GuardedHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | string[] | undefined;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Keeps web pages of other origins away from a service on the user's own machine (decisions, Web pages of other origins).
 * Strings are compared and nothing is resolved: a name that points to loopback is still not ours.
 */
export class OriginGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ allowedHosts, corsOrigins }: OriginGuardOptions) {
    this.#hosts = new Set([...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())]);
    this.#origins = new Set(corsOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  }

  check({ host, origin, secFetchSite }: GuardedHeaders): Rejection | null {
    if (host === undefined || !this.#hosts.has(nameOf(host))) {
      return refused('The Host header names another machine: use the address that Heddle listens on.');
    }
    if (origin !== undefined && !this.#isOwn(origin, host) && !this.allows(origin)) {
      return refused('Web pages of this origin may not call: the operator can allow it with HEDDLE_CORS_ORIGINS.');
    }
    if (secFetchSite === 'cross-site' && (origin === undefined || !this.allows(origin))) {
      return refused('A page of another site may not call.');
    }
    return null;
  }

  /** True for an origin that the operator has listed. */
  allows(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }

  #isOwn(origin: string, host: string): boolean {
    const lower = origin.toLowerCase();
    return lower === `http://${host.toLowerCase()}` || lower === `https://${host.toLowerCase()}`;
  }
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d{1,5}$/, '');
}

function refused(message: string): Rejection {
  return { code: 'forbidden_origin', message };
}
