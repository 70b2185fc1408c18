import { isFromOwnSite } from '@heddle/platform-http/fetch-site';
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
      return refused(unknownHost(host));
    }
    if (origin !== undefined && !this.#isOwn(origin, host) && !this.allows(origin)) {
      return refused('Web pages of this origin may not call: the operator can allow it with HEDDLE_CORS_ORIGINS.');
    }
    if (!isFromOwnSite(secFetchSite) && (origin === undefined || !this.allows(origin))) {
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

const SHOWN_LENGTH = 100;
/** A host name, an IPv4 address, or an IPv6 address in brackets: what HEDDLE_ALLOWED_HOSTS may list. */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

function unknownHost(host: string | undefined): string {
  if (host === undefined || host === '')
    return 'The request has no Host header. Send one with a loopback address or a host of HEDDLE_ALLOWED_HOSTS.';
  const name = nameOf(host);
  const entry = HOST_NAME.test(name) && name.length <= SHOWN_LENGTH ? name : 'the host';
  return (
    `The Host header names ${JSON.stringify(host.slice(0, SHOWN_LENGTH))}, a host that this service does not answer to. ` +
    `To allow it, add ${entry} to HEDDLE_ALLOWED_HOSTS where the service runs; loopback addresses are always allowed.`
  );
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d{1,5}$/, '');
}

function refused(message: string): Rejection {
  return { code: 'forbidden_origin', message };
}
