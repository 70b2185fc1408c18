import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BODY_BUDGET_DEFAULT_BYTES, BodyBudget } from '@heddle/platform-http/body-budget';
import { boundUnread } from '@heddle/platform-http/bound-unread';
import { CONNECTION_DEFAULTS, ConnectionGuard, HEAD_DEFAULT_MS } from '@heddle/platform-http/connection-guard';
import { RepeatGuard } from '@heddle/platform-telemetry';
import type { Logger, Tracer } from '@heddle/platform-telemetry';
import { TokenVerifier } from '../identity/token-verifier.js';
import type { TokenRules } from '../identity/token-verifier.js';
import { HEADER_BYTES } from '../wire/call-headers.js';
import type { CallTls } from '../call-tls.js';
import { aliveRoute } from './alive-route.js';
import type { CallRoute, CallRoutes } from './call-route.js';
import { Http2Diversion } from '../serve/divert-http2.js';
import type { Http2Taker } from '../serve/divert-http2.js';
import { sendRefusal } from './refusal.js';
import { admitCaller, serveCall } from './serve-call.js';
import type { ServeOptions } from './serve-call.js';
import { StallWatch } from '../bytes/stall-watch.js';

export interface CallServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Whose tokens open it. */
  readonly tokens: TokenRules;
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
  /** How many connections there may be, and which are cut; the defaults where it is not given. */
  readonly connections?: ConnectionGuard;
  /** Of the process: parcels that this server holds are counted in it. */
  readonly bodies?: BodyBudget;
  /** For the head of a call to arrive, from the connection or from its first byte. */
  readonly headMs?: number;
  /** A connection on which nothing moves for so long is cut. */
  readonly silentConnectionMs?: number;
  /** Serves the connections on which HTTP/2 is spoken: gRPC. */
  readonly http2?: Http2Taker;
}

export interface ServedCall {
  /** One of the routes, or `unknown`. */
  readonly path: string;
  /** The calling service, null when it was not believed. */
  readonly caller: string | null;
  readonly status: number;
  readonly ms: number;
}

const DEFAULTS = { mostCalls: 10_000, headMs: HEAD_DEFAULT_MS, silentConnectionMs: 120_000 };
/** Statuses by what Node's parser says; 400 for everything else. */
const UNREADABLE: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
/** How often connections are looked at whose head is late. */
const LOOK_MS = 1_000;
/** Longer than callers keep an idle connection, so that it is never closed under a call that was just sent. */
const KEEP_ALIVE_MS = 75_000;
/** One line of each kind of refusal is enough for so long: a caller with a wrong token asks again and again. */
const REFUSAL_LINE_MS = 10_000;
/** Time in which each caller that is at work makes its next call. */
const LINGER_MS = 1_000;
/** Then, as long as calls still come: a process that was held up has not read those that were sent meanwhile. */
const QUIET_MS = 50;
const MAX_QUIET_WAITS = 20;

/** Serves calls of other services on a port of its own. */
export class CallServer implements CallRoutes {
  readonly #options: CallServerOptions & typeof DEFAULTS & ServeOptions;
  readonly #verifier: TokenVerifier;
  readonly #routes = new Map<string, CallRoute>();
  readonly #server: Server;
  readonly #stopping = new AbortController();
  readonly #refusals = new RepeatGuard(REFUSAL_LINE_MS);
  #diversion: Http2Diversion | null = null;
  #open = 0;
  #taken = 0;
  #whenIdle: () => void = () => undefined;

  constructor(options: CallServerOptions) {
    this.#options = {
      connections: new ConnectionGuard(CONNECTION_DEFAULTS),
      bodies: new BodyBudget(BODY_BUDGET_DEFAULT_BYTES),
      ...DEFAULTS,
      ...options,
      stall: new StallWatch(),
    };
    this.#verifier = new TokenVerifier(options.tokens);
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
    this.#options.stall.start();
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
    this.#options.stall.stop();
    const lingerUntil = performance.now() + Math.min(graceMs, LINGER_MS);
    if (this.#open > 0) {
      const timer = setTimeout(() => this.#whenIdle(), graceMs);
      await new Promise<void>((resolve) => (this.#whenIdle = resolve));
      clearTimeout(timer);
    }
    await Promise.race([closed, delay(Math.max(0, lingerUntil - performance.now()))]);
    if (graceMs > 0) await Promise.race([closed, this.#quiet()]);
    this.#server.closeAllConnections();
    this.#diversion?.close();
    // Once more, in the words of HTTP: its own timer ends with it.
    this.#server.close(() => undefined);
    await closed;
  }

  /** Resolves when for a while no call has come. */
  async #quiet(): Promise<void> {
    for (let waits = 0; waits < MAX_QUIET_WAITS; waits += 1) {
      const before = this.#taken;
      await delay(QUIET_MS);
      if (this.#taken === before) return;
    }
  }

  #create(): Server {
    const { tls, headMs, silentConnectionMs, connections, http2 } = this.#options;
    const http = {
      maxHeaderSize: HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Each call has its deadline, each connection the bound of silence. Without a request's timeout Node sets none for
      // its head either.
      requestTimeout: 0,
      headersTimeout: headMs,
      connectionsCheckingInterval: LOOK_MS,
      keepAlive: true,
      noDelay: true,
    };
    const take = (request: IncomingMessage, response: ServerResponse): void => void this.#take(request, response);
    const protocols = http2 === undefined ? ['http/1.1'] : ['h2', 'http/1.1'];
    const server = tls
      ? createTlsServer(
          {
            ...http,
            ...tls,
            ALPNProtocols: protocols,
            handshakeTimeout: headMs,
            requestCert: tls.ca !== undefined,
            rejectUnauthorized: true,
          },
          take,
        )
      : createServer(http, take);
    if (http2 !== undefined) {
      const late = { ms: headMs, count: (): void => connections.count('head_late') };
      this.#diversion = new Http2Diversion(server, http2, late);
    }
    connections.watch(server);
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') connections.count('head_late');
      // Within an answer that has begun these lines would be taken for a part of it.
      const answering: unknown = Reflect.get(socket, '_httpMessage');
      const begun =
        typeof answering === 'object' && answering !== null && Reflect.get(answering, 'headersSent') === true;
      if (socket.writable && !begun)
        socket.write(`HTTP/1.1 ${UNREADABLE[error.code ?? ''] ?? 400} Refused\r\nconnection: close\r\n\r\n`);
      socket.destroy();
    });
    server.setTimeout(silentConnectionMs, (socket) => socket.destroy());
    return server;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { observe, mostCalls, connections } = this.#options;
    const started = performance.now();
    this.#open += 1;
    this.#taken += 1;
    const route = this.#routes.get(request.url ?? '');
    // Its body waits for the answer about its caller.
    boundUnread(request);
    const admitted = await admitCaller(request, route, this.#verifier);
    if (admitted.ok) connections.authenticated(request.socket);
    if (this.#stopping.signal.aborted || this.#open > mostCalls) {
      const why = this.#stopping.signal.aborted ? 'is stopping' : `serves ${mostCalls} calls already`;
      sendRefusal(response, { status: 503, code: 'not_now', message: `this process ${why}` });
    } else if (!admitted.ok) {
      this.#tellRefusal(request.url ?? '', admitted.refusal.message);
      sendRefusal(response, admitted.refusal);
    } else {
      await serveCall(admitted, request, response, this.#options);
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
