import type { Duplex } from 'node:stream';
import type { Http2Server } from 'node:http2';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ServerGrpc } from '@nestjs/microservices';
import { BODY_BUDGET_DEFAULT_BYTES, BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard, HEAD_DEFAULT_MS } from '@heddle/platform-http/connection-guard';
import { TokenVerifier } from '../identity/token-verifier.js';
import type { TokenRules } from '../identity/token-verifier.js';
import { MAX_BODY_DEFAULT_BYTES } from '../message-limits.js';
import { callInterceptor } from './call-interceptor.js';
import type { CallInterceptorOptions } from './call-interceptor.js';
import { guardSessions } from './guard-sessions.js';
import type { SessionGuard } from './guard-sessions.js';
import { serveHealth } from './health.js';
import { serverOptions } from './server-options.js';
import { SessionDrain } from './session-drain.js';
import { keepSessionsAlive } from './session-keepalive.js';
import { boundedDefinition, packageOf, serviceOf } from './served-context.js';
import type { ServedContext } from './served-context.js';

export interface CallsStrategyOptions extends Omit<CallInterceptorOptions, 'verifier' | 'connections' | 'openTo'> {
  readonly contexts: readonly ServedContext[];
  /** Whose tokens open it. */
  readonly tokens: TokenRules;
  /** Of the port that the connections come from; it watches them there. */
  readonly connections?: ConnectionGuard;
  /** Of the process: messages that are not whole yet are counted in it. */
  readonly bodies?: BodyBudget;
  /** The largest body of a client that a call carries: HEDDLE_BODY_BYTES. */
  readonly maxBodyBytes?: number;
  /** For a connection to make its first call that is believed. */
  readonly headMs?: number;
  /** Whether the process can do its work, for the health service; absent: always. */
  isReady?(): Promise<boolean>;
  /** For calls under way when the process stops; 5 s where it is not given. */
  readonly graceMs?: number;
}

/** Calls that a connection may have open at once. */
const MAX_CALLS_A_CONNECTION = 1_000;
const GRACE_MS = 5_000;

/** The strategy with which Nest serves the calls of other services, on connections that a port hands to it. */
export class CallsStrategy extends ServerGrpc {
  readonly #guard: SessionGuard;
  readonly #services: readonly string[];
  readonly #channelOptions: object;
  readonly #graceMs: number;
  readonly #isReady: () => Promise<boolean>;
  readonly #drain = new SessionDrain();
  #server: Server | null = null;
  #inject: ((connection: Duplex) => void) | null = null;
  #isStopping = false;

  constructor({ contexts, tokens, ...options }: CallsStrategyOptions) {
    const { connections = new ConnectionGuard(CONNECTION_DEFAULTS), headMs = HEAD_DEFAULT_MS } = options;
    const { maxBodyBytes = MAX_BODY_DEFAULT_BYTES } = options;
    const definitions = contexts.map(
      (context) => [serviceOf(context.definition), boundedDefinition(context, maxBodyBytes)] as const,
    );
    super({
      package: [...new Set(contexts.map(({ definition }) => packageOf(definition)))],
      packageDefinition: Object.fromEntries(definitions),
    });
    this.#services = definitions.map(([name]) => name);
    this.#guard = { connections, bodies: options.bodies ?? new BodyBudget(BODY_BUDGET_DEFAULT_BYTES), headMs };
    this.#isReady = () => options.isReady?.() ?? Promise.resolve(true);
    this.#graceMs = options.graceMs ?? GRACE_MS;
    const verifier = new TokenVerifier(tokens);
    this.#channelOptions = {
      ...serverOptions(maxBodyBytes),
      // `keepSessionsAlive` does it.
      'grpc.keepalive_time_ms': -1,
      'grpc.max_concurrent_streams': MAX_CALLS_A_CONNECTION,
      interceptors: [callInterceptor({ ...options, connections, verifier, openTo: openTo(contexts) })],
    };
  }

  /** Serves the calls of a connection that speaks HTTP/2. */
  take(connection: Duplex): void {
    if (this.#inject === null) {
      connection.destroy();
    } else {
      this.#drain.add(connection);
      this.#inject(connection);
    }
  }

  /** The server listens on no port of its own. */
  override createClient(): Promise<object> {
    const server = new Server(this.#channelOptions);
    const { injectConnection } = server.createConnectionInjector(ServerCredentials.createInsecure());
    // grpc-js shows nobody the HTTP/2 servers that it serves with, and has no bounds of its own to set.
    const serving = Reflect.get(server, 'http2Servers') as ReadonlyMap<Http2Server, unknown>;
    for (const one of serving.keys()) {
      guardSessions(one, this.#guard);
      keepSessionsAlive(one);
      this.#drain.watch(one);
    }
    serveHealth(server, this.#services, async () => !this.#isStopping && (await this.#isReady()));
    this.#server = server;
    this.#inject = injectConnection;
    return Promise.resolve(server);
  }

  /** Those under way may finish in the time of grace, then everything is cut. */
  override async close(): Promise<void> {
    this.#isStopping = true;
    await this.#drain.drain(this.#graceMs);
    // `tryShutdown` loses calls: since Node 24 an HTTP/2 server closes its sessions itself, and grpc-js takes them for gone.
    this.#server?.forceShutdown();
    this.#server = this.#inject = null;
  }
}

/** Services whose tokens open a call, by its path. */
export function openTo(
  contexts: readonly Pick<ServedContext, 'definition' | 'rules'>[],
): Record<string, readonly string[]> {
  return Object.fromEntries(
    contexts.flatMap(({ definition, rules }) =>
      Object.entries(definition).map(([name, { path }]) => [path, rules[name]?.openTo ?? []]),
    ),
  );
}
