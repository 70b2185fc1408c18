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
import { StallWatch } from '../stall-watch.js';
import { SessionDrain } from './session-drain.js';
import { keepSessionsAlive } from './session-keepalive.js';
import { boundedDefinition, packageOf, serviceOf } from './served-context.js';
import type { ServedContext } from './served-context.js';

export interface CallsStrategyOptions extends Omit<CallInterceptorOptions, 'verifier' | 'connections' | 'openTo'> {
  readonly contexts: readonly ServedContext[];
  /** Tokens that are accepted */
  readonly tokens: TokenRules;
  /** Guard of the port that accepts the connections */
  readonly connections?: ConnectionGuard;
  /** The body budget of the process, in which incomplete messages count. */
  readonly bodies?: BodyBudget;
  /** Maximum body of a client in a call: HEDDLE_BODY_BYTES. */
  readonly maxBodyBytes?: number;
  /** Time-out of the first authenticated call of a connection */
  readonly headMs?: number;
  /** Readiness for the health service; absent: always ready. */
  isReady?(): Promise<boolean>;
  /** Time for calls under way when the process stops; default 5 s. */
  readonly graceMs?: number;
}

/** Limit on concurrent calls of one connection of a service */
const MAX_SERVICE_CALLS = 1_000;
const GRACE_MS = 5_000;

/** Nest strategy that serves gRPC calls on connections which a CallsPort hands over. */
export class CallsStrategy extends ServerGrpc {
  readonly #guard: SessionGuard;
  readonly #services: readonly string[];
  readonly #channelOptions: object;
  readonly #graceMs: number;
  readonly #isReady: () => Promise<boolean>;
  readonly #drain = new SessionDrain();
  readonly #stalls = new StallWatch();
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
      // `keepSessionsAlive` sends the pings instead.
      'grpc.keepalive_time_ms': -1,
      'grpc.max_concurrent_streams': MAX_SERVICE_CALLS,
      interceptors: [
        callInterceptor({ ...options, connections, verifier, openTo: openTo(contexts), stalls: this.#stalls }),
      ],
    };
  }

  /** Serves the calls of an HTTP/2 connection. */
  take(connection: Duplex): void {
    if (this.#inject === null) {
      connection.destroy();
    } else {
      this.#drain.add(connection);
      // The port lets callers close their half first, and HTTP/2 has no such caller: without this, calls of a caller that
      // is gone would be carried out.
      connection.once('end', () => connection.destroy());
      this.#inject(connection);
    }
  }

  /** Overridden because this server listens on no port of its own. */
  override createClient(): Promise<object> {
    this.#stalls.start();
    const server = new Server(this.#channelOptions);
    const { injectConnection } = server.createConnectionInjector(ServerCredentials.createInsecure());
    // grpc-js neither exposes its HTTP/2 servers nor offers limits of its own.
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

  /** Calls under way may finish within the grace time, then all connections are closed. */
  override async close(): Promise<void> {
    this.#isStopping = true;
    this.#stalls.stop();
    await this.#drain.drain(this.#graceMs);
    // `tryShutdown` loses calls: since Node 24, an HTTP/2 server closes its sessions itself, and grpc-js treats them as gone.
    this.#server?.forceShutdown();
    this.#server = this.#inject = null;
  }
}

/** Services whose tokens are accepted, by the path of a call. */
function openTo(contexts: readonly Pick<ServedContext, 'definition' | 'rules'>[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    contexts.flatMap(({ definition, rules }) =>
      Object.entries(definition).map(([name, { path }]) => [path, rules[name]?.openTo ?? []]),
    ),
  );
}
