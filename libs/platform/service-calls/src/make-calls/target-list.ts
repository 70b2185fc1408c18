import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { CallTarget } from './call-target.js';
import type { TargetOptions } from './call-target.js';

/** How long the addresses of a name are believed. */
const NAMES_MS = 5_000;
const MAX_TARGETS = 256;

/**
 * The processes of a called service: given one by one as URLs, or as one name with several addresses, which are looked
 * up again from time to time.
 */
export class TargetList {
  readonly #service: string;
  readonly #urls: readonly URL[];
  readonly #options: TargetOptions;
  #targets: CallTarget[] = [];
  #next = 0;
  #resolvedAt = Number.NEGATIVE_INFINITY;
  #resolving: Promise<void> | null = null;

  constructor(service: string, urls: readonly string[], options: TargetOptions) {
    if (urls.length === 0) throw new Error(`there is no address of the ${service} service`);
    this.#service = service;
    this.#urls = urls.map((url) => originOf(service, url));
    this.#options = options;
    const fixed = this.#urls.every(({ hostname }) => isAddress(hostname));
    if (fixed) this.#replace(this.#urls.map(({ origin }) => ({ origin, serverName: null })));
    if (fixed) this.#resolvedAt = Number.POSITIVE_INFINITY;
  }

  /** Waits for the addresses of names only when none is known yet. */
  async ready(): Promise<void> {
    if (performance.now() - this.#resolvedAt < NAMES_MS) return;
    this.#resolving ??= this.#resolve().finally(() => (this.#resolving = null));
    if (this.#targets.length === 0) await this.#resolving;
  }

  get all(): readonly CallTarget[] {
    return this.#targets;
  }

  /**
   * The next target in turn that is fit, leaving out those that were tried. One whose pause is over is tried by a call
   * that may be repeated elsewhere. Where none is fit, any is better than none; null only when all were tried.
   */
  pick(tried: ReadonlySet<CallTarget>, mayRepeat: boolean): CallTarget | null {
    const now = performance.now();
    const left = this.#inTurn().filter((target) => !tried.has(target));
    const onTrial = mayRepeat ? left.find((target) => target.state(now) === 'trial') : undefined;
    onTrial?.beginTrial();
    return onTrial ?? left.find((target) => target.state(now) === 'fit') ?? left[0] ?? null;
  }

  async close(): Promise<void> {
    this.#resolvedAt = Number.POSITIVE_INFINITY;
    await this.#resolving?.catch(() => undefined);
    await Promise.all(this.#targets.splice(0).map((target) => target.close()));
  }

  #inTurn(): readonly CallTarget[] {
    const targets = this.#targets;
    if (targets.length < 2) return targets;
    this.#next = (this.#next + 1) % targets.length;
    return [...targets.slice(this.#next), ...targets.slice(0, this.#next)];
  }

  async #resolve(): Promise<void> {
    const found = await Promise.all(this.#urls.map((url) => addressesOf(url).catch(() => [])));
    const closed = this.#resolvedAt === Number.POSITIVE_INFINITY;
    this.#resolvedAt = closed ? this.#resolvedAt : performance.now();
    // A name server that is away for a moment takes no target away.
    if (found.some((addresses) => addresses.length > 0) && !closed) this.#replace(found.flat());
    else if (this.#targets.length === 0) this.#resolvedAt = Number.NEGATIVE_INFINITY;
  }

  #replace(addresses: readonly { readonly origin: string; readonly serverName: string | null }[]): void {
    const known = new Map(this.#targets.map((target) => [target.origin, target]));
    this.#targets = addresses.slice(0, MAX_TARGETS).map(({ origin, serverName }) => {
      const target = known.get(origin) ?? new CallTarget(origin, this.#options, serverName);
      known.delete(origin);
      return target;
    });
    // Calls under way on a target that is gone come to their end or to their deadline.
    for (const target of known.values()) setTimeout(() => void target.close(), 60_000).unref();
  }

  toString(): string {
    return `${this.#service} at ${this.#urls.map(({ origin }) => origin).join(', ')}`;
  }
}

function originOf(service: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new Error(`'${text}' is no address of the ${service} service: it must be like http://${service}:7000`);
  }
  return url;
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

async function addressesOf(url: URL): Promise<{ origin: string; serverName: string | null }[]> {
  if (isAddress(url.hostname)) return [{ origin: url.origin, serverName: null }];
  const addresses = await lookup(url.hostname, { all: true });
  return addresses.map(({ address, family }) => {
    const host = family === 6 ? `[${address}]` : address;
    const port = url.port === '' ? '' : `:${url.port}`;
    return { origin: `${url.protocol}//${host}${port}`, serverName: url.hostname };
  });
}
