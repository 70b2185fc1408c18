import type { Http2Server } from 'node:http2';
import { Server as TlsServer } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { ServerGrpc } from '@nestjs/microservices';
import type { GrpcOptions } from '@nestjs/microservices';
import { BODY_BUDGET_DEFAULT_BYTES, BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard, HEAD_DEFAULT_MS } from '@heddle/platform-http/connection-guard';
import { TokenVerifier } from '../identity/token-verifier.js';
import type { TokenRules } from '../identity/token-verifier.js';
import type { CallTls, RenewableTls } from '../call-tls.js';
import { MAX_BODY_DEFAULT_BYTES } from '../message-limits.js';
import { callInterceptor } from './call-interceptor.js';
import type { CallInterceptorOptions } from './call-interceptor.js';
import { guardSessions } from './guard-sessions.js';
import type { SessionGuard } from './guard-sessions.js';
import { renewedOn } from './renewed-server.js';
import { serverOptions } from './server-options.js';

interface GrpcServerOptions extends Omit<CallInterceptorOptions, 'verifier' | 'connections'> {
  readonly host: string;
  readonly port: number;
  /** Tokens that are accepted */
  readonly tokens: TokenRules;
  /** Null: plain connections */
  readonly tls: RenewableTls | null;
  /** Limits the connections, and chooses which are closed; absent: the default limits. */
  readonly connections?: ConnectionGuard;
  /** The body budget of the process, in which incomplete messages count. */
  readonly bodies?: BodyBudget;
  /** Time-out of the first authenticated call of a connection */
  readonly headMs?: number;
  /** For example `heddle.worker.v1` */
  readonly package: string;
  /** The services of the package by full name */
  readonly services: Readonly<Record<string, ServiceDefinition>>;
}

/** Limit on concurrent calls of one connection of a worker, which makes one call */
const MAX_WORKER_CALLS = 100;
/** Nest strategy that serves the controllers of a package. */
export function grpcStrategy({ host, port, tokens, tls, services, ...options }: GrpcServerOptions): ServerGrpc {
  const { connections = new ConnectionGuard(CONNECTION_DEFAULTS), headMs = HEAD_DEFAULT_MS } = options;
  const guard = { connections, bodies: options.bodies ?? new BodyBudget(BODY_BUDGET_DEFAULT_BYTES), headMs };
  return new GuardedGrpc(guard, tls, {
    package: options.package,
    packageDefinition: services,
    url: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    credentials: tls === null ? ServerCredentials.createInsecure() : tlsCredentials(tls.current),
    channelOptions: {
      ...serverOptions(MAX_BODY_DEFAULT_BYTES),
      'grpc.max_concurrent_streams': MAX_WORKER_CALLS,
      interceptors: [callInterceptor({ ...options, connections, verifier: new TokenVerifier(tokens) })],
    },
  });
}

/** grpc-js reports a used port only in text; callers need the error code. */
class GuardedGrpc extends ServerGrpc {
  readonly #guard: SessionGuard;
  readonly #tls: RenewableTls | null;

  constructor(guard: SessionGuard, tls: RenewableTls | null, options: Required<GrpcOptions>['options']) {
    super(options);
    this.#guard = guard;
    this.#tls = tls;
  }

  /** Overridden because grpc-js neither exposes its HTTP/2 servers nor offers limits or renewed certificates. */
  override async createClient(): Promise<object> {
    const server = (await super.createClient()) as object;
    const listening = Reflect.get(server, 'http2Servers') as ReadonlyMap<Http2Server, unknown>;
    for (const one of listening.keys()) {
      this.#guard.connections.watch(one);
      guardSessions(one, this.#guard);
      // Typed as plain HTTP/2; over TLS each of them is a `tls.Server`.
      if (this.#tls !== null && one instanceof TlsServer) one.once('close', renewedOn(one, this.#tls));
    }
    return server;
  }

  override async listen(callback: (error?: unknown, ...more: unknown[]) => void): Promise<void> {
    await super.listen((error?: unknown, ...more: unknown[]) => {
      const code =
        error instanceof Error ? /\b(EADDRINUSE|EACCES|EADDRNOTAVAIL)\b/.exec(error.message)?.[1] : undefined;
      callback(code === undefined ? error : Object.assign(error as Error, { code }), ...more);
    });
  }
}

/** With `ca`, clients must present a certificate that the authority signed. */
function tlsCredentials({ key, cert, ca }: CallTls): ServerCredentials {
  if (key === undefined || cert === undefined) throw new Error('a server with TLS needs a certificate and its key');
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
  return ServerCredentials.createSsl(ca === undefined ? null : Buffer.from(ca), [pair], ca !== undefined);
}
