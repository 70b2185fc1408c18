import type { RequestListener } from 'node:http';
import { BODY_BUDGET_DEFAULT_BYTES, BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard, HEAD_DEFAULT_MS } from '@heddle/platform-http/connection-guard';
import type { ByteRoute } from '../bytes/byte-route.js';
import { BytesServer } from '../bytes/bytes-server.js';
import type { RenewableTls } from '../call-tls.js';
import { TokenVerifier } from '../identity/token-verifier.js';
import { CallsPort } from './calls-port.js';
import { startCalls } from './start-calls.js';
import type { StartCallsOptions } from './start-calls.js';

export interface ServeCallsOptions extends StartCallsOptions {
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** Null: plain connections */
  readonly tls?: RenewableTls | null;
  /** Byte routes, over HTTP/1.1 */
  readonly bytes?: readonly ByteRoute[];
  /** A port for byte routes alone, beside the other one; 0: any free port, absent: none. */
  readonly bytesPort?: number;
  readonly maxTransfers?: number;
  /** Grace time of transfers of bytes, which take as long as their client is slow. Default: that of calls. */
  readonly transferGraceMs?: number;
}

export interface ServedCalls {
  readonly url: string;
  /** Null: no port of its own */
  readonly bytesUrl: string | null;
  /** Calls under way may finish within the grace time. */
  close(): Promise<void>;
}

const GRACE_MS = 5_000;

/**
 * Serves the calls of other services: gRPC on one port, byte routes on another one. The first port takes byte routes as well,
 * for callers of the previous version.
 */
export async function serveCallsPort({ bytes = [], ...options }: ServeCallsOptions): Promise<ServedCalls> {
  const { host, port, tls, tokens, graceMs = GRACE_MS, transferGraceMs = graceMs } = options;
  const connections = options.connections ?? new ConnectionGuard(CONNECTION_DEFAULTS);
  const bodies = options.bodies ?? new BodyBudget(BODY_BUDGET_DEFAULT_BYTES);
  const bounds = { connections, bodies, headMs: options.headMs ?? HEAD_DEFAULT_MS };
  const grpc = await startCalls({ ...options, ...bounds });
  const transfers = new BytesServer({ ...options, ...bounds, routes: bytes, verifier: new TokenVerifier(tokens) });
  const http1: RequestListener = (request, response) => void transfers.take(request, response);
  const calls = new CallsPort({ ...bounds, host, port, tls, http1, http2: (connection) => grpc.take(connection) });
  const ports = [calls];
  if (options.bytesPort !== undefined)
    ports.push(new CallsPort({ ...bounds, host, port: options.bytesPort, tls, http1, http2: null }));
  for (const one of ports) await one.listen();
  const [url = '', bytesUrl = null] = ports.map((one) => one.url);
  const close = async (): Promise<void> => {
    const served = Promise.all([transfers.stop(transferGraceMs), grpc.close()]);
    await Promise.all(ports.map((one) => one.close(served)));
  };
  return { url, bytesUrl, close };
}
