import { isFromOwnSite } from './fetch-site.js';
import { refuse } from '@heddle/contracts-messages';
import { LOOPBACK_HOSTS } from '@heddle/platform-settings';
import type { Rejection } from '@heddle/contracts-messages';

interface OriginGuardOptions {
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
}

interface GuardedHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | string[] | undefined;
}

/**
 * Keeps web pages of other origins away from a service on the user's own machine (decisions, Web pages of other
 * origins). Strings are compared without resolving: a name that points to loopback is still not ours.
 */
export class OriginGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ allowedHosts, corsOrigins }: OriginGuardOptions) {
    this.#hosts = new Set([...LOOPBACK_HOSTS, ...allowedHosts.map((host) => host.toLowerCase())]);
    this.#origins = new Set(corsOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  }

  check({ host, origin, secFetchSite }: GuardedHeaders): Rejection | null {
    if (host === undefined || !this.#hosts.has(nameOf(host))) {
      return unknownHost(host);
    }
    if (origin !== undefined && !this.#isOwn(origin, host) && !this.allows(origin)) {
      return refuse('forbidden_origin', { case: 'origin' });
    }
    if (!isFromOwnSite(secFetchSite) && (origin === undefined || !this.allows(origin))) {
      return refuse('forbidden_origin', { case: 'site' });
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
/** A host name, an IPv4 address, or an IPv6 address in brackets: the form of HEDDLE_ALLOWED_HOSTS entries. */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

function unknownHost(host: string | undefined): Rejection {
  if (host === undefined || host === '') return refuse('forbidden_origin', { case: 'no_host' });
  const name = nameOf(host);
  const entry = HOST_NAME.test(name) && name.length <= SHOWN_LENGTH ? name : 'the host';
  return refuse('forbidden_origin', { case: 'host', host: host.slice(0, SHOWN_LENGTH), entry });
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d{1,5}$/, '');
}
