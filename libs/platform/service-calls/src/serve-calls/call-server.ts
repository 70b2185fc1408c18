import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { RepeatGuard } from '@heddle/platform-telemetry';
import type { Logger, Tracer } from '@heddle/platform-telemetry';
import { TokenVerifier } from '../identity/token-verifier.js';
import { HEADER_BYTES } from '../wire/call-headers.js';
import { aliveRoute } from './alive-route.js';
import type { CallRoute, CallRoutes } from './call-route.js';
import { sendRefusal } from './refusal.js';
import { admitCaller, serveCall } from './serve-call.js';
import { StallWatch } from './stall-watch.js';

/** PEM texts. With `ca`, the other side has to show a certificate that it signed. */
export interface CallTls {
  readonly key?: string;
  readonly cert?: string;
  readonly ca?: string;
}

export interface CallServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** PEM; tokens signed by any of them are believed. */
  readonly publicKeys: readonly string[];
  /** Null: plain connections. */
  readonly tls?: CallTls | null;
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
  readonly tracer?: Tracer | null;
  /** Whether a route failed because something that its service needs is away. */
  readonly isOutage?: (error: unknown) => boolean;
  /** Told when a call is over. */
  observe?(call: ServedCall): void;
  /** Calls that are served at once; more are refused, and their callers go elsewhere. */
  readonly mostCalls?: number;
  readonly mostConnections?: number;
  /** A connection on which nothing moves for so long is cut. */
  readonly silentConnectionMs?: number;
}

export interface ServedCall {
  /** One of the routes, or `unknown`. */
  readonly path: string;
  /** The calling service, null when it was not believed. */
  readonly caller: string | null;
  readonly status: number;
  readonly ms: number;
}

const DEFAULTS = { mostCalls: 10_000, mostConnections: 10_000, silentConnectionMs: 120_000 };
/** Longer than callers keep an idle connection, so that it is never closed under a call that was just sent. */
const KEEP_ALIVE_MS = 75_000;
/** One line of each kind of refusal is enough for so long: a caller with a wrong token asks again and again. */
const REFUSAL_LINE_MS = 10_000;
/** Time in which each caller that is at work makes its next call. */
const LINGER_MS = 1_000;
/** Then, as long as calls still come: a process that was held up has not read those that were sent meanwhile. */
const QUIET_MS = 50;
const MOST_QUIET_WAITS = 20;

/** Serves calls of other services on a port of its own. */
export class CallServer implements CallRoutes {
  readonly #options: CallServerOptions & typeof DEFAULTS;
  readonly #verifier: TokenVerifier;
  readonly #routes = new Map<string, CallRoute>();
  readonly #server: Server;
  readonly #stopping = new AbortController();
  readonly #refusals = new RepeatGuard(REFUSAL_LINE_MS);
  readonly #stall = new StallWatch();
  #open = 0;
  #taken = 0;
  #whenIdle: () => void = () => undefined;

  constructor(options: CallServerOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#verifier = new TokenVerifier(options.publicKeys);
    this.#server = this.#create();
    this.route(aliveRoute);
  }

  route(route: CallRoute): void {
    if (this.#routes.has(route.path)) throw new Error(`two routes have the path ${route.path}`);
    this.#routes.set(route.path, route);
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    this.#stall.start();
  }

  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    const scheme = this.#options.tls ? 'https' : 'http';
    return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /**
   * Takes no more calls: new ones are told to go elsewhere, the others may finish within `graceMs`.
   * Idle connections stay a moment longer, so that their callers are told by an answer: a call that was just sent on
   * a connection that is cut may or may not have been carried out. Then everything is cut.
   */
  async close(graceMs = 5_000): Promise<void> {
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    this.#stopping.abort();
    this.#stall.stop();
    const lingerUntil = performance.now() + Math.min(graceMs, LINGER_MS);
    if (this.#open > 0) {
      const timer = setTimeout(() => this.#whenIdle(), graceMs);
      await new Promise<void>((resolve) => (this.#whenIdle = resolve));
      clearTimeout(timer);
    }
    await Promise.race([closed, delay(Math.max(0, lingerUntil - performance.now()))]);
    if (graceMs > 0) await Promise.race([closed, this.#quiet()]);
    this.#server.closeAllConnections();
    // Once more, in the words of HTTP: its own timer ends with it.
    this.#server.close(() => undefined);
    await closed;
  }

  /** Resolves when for a while no call has come. */
  async #quiet(): Promise<void> {
    for (let waits = 0; waits < MOST_QUIET_WAITS; waits += 1) {
      const before = this.#taken;
      await delay(QUIET_MS);
      if (this.#taken === before) return;
    }
  }

  #create(): Server {
    const { tls, mostConnections, silentConnectionMs } = this.#options;
    const http = {
      maxHeaderSize: HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Each call has its deadline, each connection the bound of silence.
      requestTimeout: 0,
      keepAlive: true,
      noDelay: true,
    };
    const take = (request: IncomingMessage, response: ServerResponse): void => void this.#take(request, response);
    const server = tls
      ? createTlsServer({ ...http, ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: true }, take)
      : createServer(http, take);
    server.maxConnections = mostConnections;
    server.setTimeout(silentConnectionMs, (socket) => socket.destroy());
    return server;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { observe, mostCalls } = this.#options;
    const started = performance.now();
    this.#open += 1;
    this.#taken += 1;
    const route = this.#routes.get(request.url ?? '');
    const admitted = admitCaller(request, route, this.#verifier);
    if (this.#stopping.signal.aborted || this.#open > mostCalls) {
      const why = this.#stopping.signal.aborted ? 'is stopping' : `serves ${mostCalls} calls already`;
      sendRefusal(response, { status: 503, code: 'not_now', message: `this process ${why}` });
    } else if (!admitted.ok) {
      this.#tellRefusal(request.url ?? '', admitted.refusal.message);
      sendRefusal(response, admitted.refusal);
    } else {
      await serveCall(admitted, request, response, { ...this.#options, stall: this.#stall });
    }
    this.#open -= 1;
    if (this.#open === 0) this.#whenIdle();
    const caller = admitted.ok ? admitted.caller.service : null;
    observe?.({ path: route?.path ?? 'unknown', caller, status: response.statusCode, ms: performance.now() - started });
  }

  #tellRefusal(call: string, reason: string): void {
    const suppressed = this.#refusals.admit(reason);
    if (suppressed === null) return;
    const more = suppressed === 0 ? {} : { suppressed };
    this.#options.logger?.warn({ call, reason, ...more }, 'a call was refused');
  }
}
