import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import type { CallTls } from '../call-tls.js';
import { HEADER_BYTES } from '../wire/call-headers.js';

export interface TargetOptions {
  /** Small calls that are under way at once to one target; more wait. */
  readonly connections: number;
  /** Streams that are open at once to one target. */
  readonly streams: number;
  readonly connectMs: number;
  readonly tls: CallTls | null;
  /** The first pause of a target that could not be reached; it doubles up to ten times as much. */
  readonly ejectMs: number;
}

/** Shorter than the other side keeps an idle connection. */
const KEEP_ALIVE_MS = 30_000;

/** One process of a called service: its connections, and whether it is worth calling now. */
export class CallTarget {
  readonly origin: string;
  /** Streams have connections of their own, so that they hold no small call up. */
  readonly plain: Dispatcher;
  readonly streams: Dispatcher;
  readonly #ejectMs: number;
  #failures = 0;
  #ejectedUntil = 0;
  #onTrial = false;

  constructor(origin: string, options: TargetOptions, serverName: string | null) {
    this.origin = origin;
    this.#ejectMs = options.ejectMs;
    this.plain = poolOf(origin, options, options.connections, serverName);
    this.streams = poolOf(origin, options, options.streams, serverName);
  }

  /** `trial`: its pause is over, and one call may find out whether it is back. */
  state(now: number): 'fit' | 'trial' | 'away' {
    if (this.#failures === 0) return 'fit';
    return now >= this.#ejectedUntil && !this.#onTrial ? 'trial' : 'away';
  }

  beginTrial(): void {
    this.#onTrial = true;
  }

  /** The call came to no verdict: its caller gave up. */
  endTrial(): void {
    this.#onTrial = false;
  }

  answered(): void {
    this.#failures = 0;
    this.#onTrial = false;
  }

  failed(now: number): void {
    // Calls that were under way together fail together: that is one failure.
    if (this.#failures === 0 || this.#onTrial) this.#failures += 1;
    this.#onTrial = false;
    this.#ejectedUntil = now + this.#ejectMs * Math.min(10, 2 ** (this.#failures - 1));
  }

  async close(): Promise<void> {
    await Promise.all([this.plain.destroy(), this.streams.destroy()]);
  }
}

function poolOf(origin: string, options: TargetOptions, connections: number, serverName: string | null): Pool {
  const tls =
    options.tls === null ? {} : { ...options.tls, ...(serverName === null ? {} : { servername: serverName }) };
  return new Pool(origin, {
    connections,
    // Over TLS the port takes HTTP/2 for gRPC.
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES,
    // Every call has a deadline or a bound of silence of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { ...tls, timeout: options.connectMs, keepAlive: true, keepAliveInitialDelay: 10_000 },
  });
}
