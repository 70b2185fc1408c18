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
  readonly maxTransfers?: number;
}

export interface ServedCalls {
  readonly url: string;
  /** Calls under way may finish within the grace time. */
  close(): Promise<void>;
}

const GRACE_MS = 5_000;

/** Serves the calls of other services on one port: gRPC, and byte routes over HTTP/1.1. */
export async function serveCallsPort({ bytes = [], ...options }: ServeCallsOptions): Promise<ServedCalls> {
  const { host, port, tls, tokens, graceMs = GRACE_MS } = options;
  const connections = options.connections ?? new ConnectionGuard(CONNECTION_DEFAULTS);
  const bodies = options.bodies ?? new BodyBudget(BODY_BUDGET_DEFAULT_BYTES);
  const bounds = { connections, bodies, headMs: options.headMs ?? HEAD_DEFAULT_MS };
  const grpc = await startCalls({ ...options, ...bounds });
  const transfers = new BytesServer({ ...options, ...bounds, routes: bytes, verifier: new TokenVerifier(tokens) });
  const listening = new CallsPort({
    ...bounds,
    host,
    port,
    tls,
    http2: (connection) => grpc.take(connection),
    http1: (request, response) => void transfers.take(request, response),
  });
  await listening.listen();
  const { url } = listening;
  return {
    url,
    close: () => listening.close(Promise.all([transfers.stop(graceMs), grpc.close()])),
  };
}
