import { isIP } from 'node:net';
import { backoffMs } from '@heddle/contracts-messages';
import { buildConnector, Pool } from 'undici';
import type { CallTls, RenewableTls } from '../call-tls.js';
import { addressesOf, hostPortIn, MAX_ADDRESSES, NAMES_MS, originOf } from '../call/addresses.js';
import { MAX_HEAD_BYTES } from './byte-headers.js';

interface ByteTargetOptions {
  readonly tls: RenewableTls | null;
  /** Limit on concurrent transfers to one process */
  readonly streams: number;
}

const CONNECT_MS = 2_000;
/** Shorter than the idle time-out of the server */
const KEEP_ALIVE_MS = 30_000;
/** Backoff after a first failure; each further failure doubles it. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/** One process of a service, with its connections and its failures */
export interface ByteTarget {
  readonly origin: string;
  /** Where the previous version serves bytes */
  readonly isFormer: boolean;
  readonly pool: Pool;
  failures: number;
  awayUntil: number;
}

interface ResolvedOrigin extends Pick<ByteTarget, 'origin' | 'isFormer'> {
  /** In the URL */
  readonly name: string;
}

/** The processes of a service for calls over HTTP/1.1: one URL each, or a name with several addresses. */
export class ByteTargets {
  readonly #urls: readonly (readonly [url: URL, isFormer: boolean])[];
  #targets: ByteTarget[] = [];
  #next = 0;
  #resolvedAt = -Infinity;
  #isClosed = false;

  constructor(
    service: string,
    urls: readonly string[],
    /** Used while none of `urls` answers. */
    former: readonly string[],
    private readonly options: ByteTargetOptions,
  ) {
    if (urls.length === 0) throw new Error(`there is no address of the ${service} service`);
    this.#urls = [
      ...urls.map((url) => [originOf(service, url), false] as const),
      ...former.map((url) => [originOf(service, url), true] as const),
    ];
  }

  /** All processes whose addresses are known */
  async known(): Promise<readonly ByteTarget[]> {
    if (performance.now() - this.#resolvedAt >= NAMES_MS) await this.#resolve();
    return this.#targets;
  }

  /**
   * The next healthy process that was not tried. A process whose backoff is over gets one call, and only a call that may be
   * repeated elsewhere. If no process is healthy, returns any.
   */
  pick(tried: ReadonlySet<ByteTarget>, mayRepeat: boolean): ByteTarget | undefined {
    const now = performance.now();
    this.#next += 1;
    const inTurn = this.#targets.map((_, at, all) => all[(at + this.#next) % all.length]!);
    const untried = inTurn.filter((target) => !tried.has(target));
    const left = [...untried.filter(({ isFormer }) => !isFormer), ...untried.filter(({ isFormer }) => isFormer)];
    const onTrial = mayRepeat ? left.find(({ failures, awayUntil }) => failures > 0 && now >= awayUntil) : undefined;
    if (onTrial !== undefined) onTrial.awayUntil = now + pauseOf(onTrial);
    return onTrial ?? left.find(({ failures }) => failures === 0) ?? left[0];
  }

  answered(target: ByteTarget): void {
    target.failures = 0;
  }

  failed(target: ByteTarget): void {
    target.failures += 1;
    target.awayUntil = performance.now() + pauseOf(target);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#targets.map(({ pool }) => pool.destroy()));
  }

  async #resolve(): Promise<void> {
    const found = await Promise.all(this.#urls.map(([url, isFormer]) => this.#originsOf(url, isFormer)));
    const resolved = found.flat().slice(0, MAX_ADDRESSES);
    // A former URL may be that of bytes.
    const origins = new Map(resolved.reverse().map((one) => [one.origin, one]));
    this.#resolvedAt = performance.now();
    // While no name server answers, the known addresses stay.
    if (origins.size === 0 || this.#isClosed) return;
    const gone = this.#targets.filter(({ origin }) => !origins.has(origin));
    const kept = new Map(this.#targets.map((target) => [target.origin, target]));
    this.#targets = [...origins.values()].map((one) => kept.get(one.origin) ?? this.#target(one));
    // Transfers under way finish first.
    for (const { pool } of gone) void pool.close();
  }

  async #originsOf(url: URL, isFormer: boolean): Promise<ResolvedOrigin[]> {
    const named = hostPortIn(url);
    return (await addressesOf(named)).map(({ host, port }) => {
      const address = isIP(host) === 6 ? `[${host}]` : host;
      return { origin: `${url.protocol}//${address}:${port}`, name: named.host, isFormer };
    });
  }

  #target({ origin, name, isFormer }: ResolvedOrigin): ByteTarget {
    const pool = new Pool(origin, {
      connections: this.options.streams,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      // The deadline of the call covers this time.
      headersTimeout: 0,
      connect: connectorFor(name, this.options.tls),
    });
    return { origin, isFormer, pool, failures: 0, awayUntil: 0 };
  }
}

/** Connects with the current certificates to a process that is called `name`. */
function connectorFor(name: string, renewable: RenewableTls | null): buildConnector.connector {
  const connector = (tls: CallTls | null): buildConnector.connector => {
    const { name: ofAddress, ...pems } = tls ?? {};
    const expected = isIP(name) === 0 ? name : ofAddress;
    const servername = expected === undefined ? {} : { servername: expected };
    return buildConnector({
      ...(tls === null ? {} : { ...pems, ...servername }),
      // Over TLS, the server takes HTTP/2 for gRPC.
      allowH2: false,
      timeout: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
    });
  };
  let made = renewable?.current ?? null;
  let connect = connector(made);
  return (options, callback) => {
    const current = renewable?.current ?? null;
    if (current !== made) [made, connect] = [current, connector(current)];
    connect(options, callback);
  };
}

function pauseOf({ failures }: ByteTarget): number {
  return backoffMs(failures - 1, FIRST_PAUSE_MS, MAX_PAUSE_MS);
}
