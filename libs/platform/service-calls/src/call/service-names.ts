import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { experimental, Metadata, status } from '@grpc/grpc-js';
import type { CallTls } from '../call-tls.js';
import { addressesOf, hostPortIn, MAX_ADDRESSES, NAMES_MS, originOf } from './addresses.js';
import type { HostPort } from './addresses.js';

type Listener = experimental.ResolverListener;

const SCHEME = 'heddle';

/**
 * Resolver of grpc-js for the processes of a service: addresses and names. It looks names up again from time to time, so
 * that new replicas are found while the connections to the others live.
 */
class ServiceNames implements experimental.Resolver {
  readonly #hosts: readonly HostPort[];
  #timer: NodeJS.Timeout | undefined;
  #known = '';
  #isClosed = false;

  constructor(
    target: experimental.GrpcUri,
    private readonly listener: Listener,
  ) {
    this.#hosts = target.path.split(',').map(hostPortOf);
  }

  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path.split(',')[0]!;
  }

  updateResolution(): void {
    this.#isClosed = false;
    void this.#resolve();
    if (this.#hosts.every(({ host }) => isIP(host) !== 0)) return;
    this.#timer ??= setInterval(() => void this.#resolve(), NAMES_MS).unref();
  }

  destroy(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#known = '';
  }

  async #resolve(): Promise<void> {
    const found = (await Promise.all(this.#hosts.map(addressesOf))).flat().slice(0, MAX_ADDRESSES);
    const now = found.map(({ host, port }) => `${host} ${port}`).join();
    if (this.#isClosed || (now === this.#known && now !== '')) return;
    // While no name server answers, the known addresses stay.
    if (found.length === 0 && this.#known !== '') return;
    this.#known = now;
    if (found.length === 0) {
      const names = this.#hosts.map(({ host }) => host).join(', ');
      const details = `no address of ${names} is known`;
      const error = { code: status.UNAVAILABLE, details, metadata: new Metadata() };
      this.listener(experimental.statusOrFromError(error), {}, null, '');
    } else {
      const endpoints = found.map((address) => ({ addresses: [address] }));
      this.listener(experimental.statusOrFromValue(endpoints), {}, null, '');
    }
  }
}

experimental.registerResolver(SCHEME, ServiceNames);

/** Channel target of processes at URLs, for example `http://jobs:8290`. */
export function targetOf(service: string, urls: readonly string[]): string {
  return `${SCHEME}:${urls.map((url) => hostOf(service, url)).join(',')}`;
}

/** Accepts a certificate for any of the names, because all of them are one service. */
export function identityCheck(
  service: string,
  urls: readonly string[],
  { name }: Pick<CallTls, 'name'>,
): typeof checkServerIdentity {
  const hosts = urls.map((url) => hostPortOf(hostOf(service, url)).host);
  const names = hosts.map((host) => (isIP(host) === 0 ? host : (name ?? host)));
  return (_, certificate) => {
    const faults = names.map((name) => checkServerIdentity(name, certificate));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}

function hostOf(service: string, text: string): string {
  const url = originOf(service, text);
  return `${url.hostname}:${hostPortIn(url).port}`;
}

function hostPortOf(text: string): HostPort {
  return hostPortIn(new URL(`http://${text}`));
}
