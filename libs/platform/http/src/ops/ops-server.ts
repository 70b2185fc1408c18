import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { ADMIN_PATH } from './admin-path.js';
import { checkCredentialsForm } from '../credentials/check-credentials-form.js';
import type { ConnectionGuard } from '../connections/connection-guard.js';
import { pageBehind } from './ops-guard.js';

export { pageBehind };

const PATIENCE_MS = 2_000;
const TIMES = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** A dependency that must be present before work can be done; returns null, or what is missing. */
export interface ReadinessCheck {
  readonly name: string;
  /** The process works without it, but worse: it is listed under `degraded`, and the process stays ready. */
  readonly optional?: boolean;
  check(): string | null | Promise<string | null>;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface OpsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: MetricsRegistry;
  readonly readiness: readonly ReadinessCheck[];
  readonly connections: ConnectionGuard;
  /** Answers what lies below `/admin/`; null: this process has no admin API. */
  admin?(): RequestHandler | null;
  /** Why the process refuses requests although no dependency is missing: it is starting or stopping. Null if it serves. */
  notServing(): string | null;
}

/**
 * `/livez` (the event loop is running, nothing else), `/readyz` (names what is missing), `/metrics` (Prometheus text).
 */
export async function startOpsServer({
  host,
  port,
  metrics,
  readiness,
  connections,
  notServing,
  admin = () => null,
}: OpsServerOptions): Promise<Server> {
  const server = createServer(TIMES, (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0];
    const send = (status: number, type: string, body: string): void => {
      response.writeHead(status, {
        'content-type': type,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        // No route here takes a body, so a body is not read.
        ...(hasBody(request) ? { connection: 'close' } : {}),
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    if (path?.startsWith(ADMIN_PATH) === true) {
      const answer = admin();
      if (answer !== null) return answer(request, response);
      const reason = notServing();
      if (reason !== null) {
        connections.authenticated(request.socket);
        response.setHeader('retry-after', '1');
        return send(503, 'text/plain', `${reason}: admin calls are answered once /readyz is 200\n`);
      }
    }
    connections.authenticated(request.socket);
    const malformed = checkCredentialsForm({ url: request.url ?? '', rawHeaders: [] });
    if (malformed !== null) return send(400, 'text/plain', `${malformed.message}\n`);
    const refusal = pageBehind(request.headers, host);
    if (refusal !== null) return send(403, 'text/plain', `${refusal}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return send(405, 'text/plain', 'GET only\n');
    }
    if (path === '/livez') return send(200, 'text/plain', 'alive\n');
    if (path === '/metrics') {
      void metrics.metrics().then(
        (text) => send(200, metrics.contentType, text),
        (error: unknown) => send(500, 'text/plain', `cannot read the metrics: ${String(error)}\n`),
      );
      return;
    }
    if (path === '/readyz') {
      void stateOf(readiness, notServing).then((state) => {
        send(state.ready ? 200 : 503, 'application/json', `${JSON.stringify(state)}\n`);
      });
      return;
    }
    send(404, 'text/plain', 'not found; this port serves /livez, /readyz and /metrics\n');
  });
  connections.watch(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

interface Reason {
  readonly name: string;
  readonly reason: string;
}

async function stateOf(
  checks: readonly ReadinessCheck[],
  notServing: () => string | null,
): Promise<{ ready: boolean; waiting_for: Reason[]; degraded: Reason[] }> {
  const [waiting, degraded] = await Promise.all([
    reasonsOf(checks.filter(({ optional }) => optional !== true)),
    reasonsOf(checks.filter(({ optional }) => optional === true)),
  ]);
  // Asked last: a part added meanwhile has not been checked.
  const reason = notServing();
  if (waiting.length === 0 && reason !== null) waiting.push({ name: 'service', reason });
  return { ready: waiting.length === 0, waiting_for: waiting, degraded };
}

/** Whether nothing is missing that work cannot be done without. */
export async function isReady(checks: readonly ReadinessCheck[]): Promise<boolean> {
  return (await reasonsOf(checks.filter(({ optional }) => optional !== true))).length === 0;
}

/** The checks without which nobody is served, by name: 1 where nothing is missing, else 0. */
export async function presenceOf(
  checks: readonly ReadinessCheck[],
): Promise<readonly (readonly [{ readonly dependency: string }, number])[]> {
  const needed = checks.filter(({ optional }) => optional !== true);
  return await Promise.all(
    needed.map(async ({ name, check }) => [{ dependency: name }, (await checked(check)) === null ? 1 : 0] as const),
  );
}

async function reasonsOf(checks: readonly ReadinessCheck[]): Promise<Reason[]> {
  const reasons = await Promise.all(
    checks.map(async ({ name, check }) => {
      const reason = await checked(check);
      return reason === null ? [] : [{ name, reason }];
    }),
  );
  return reasons.flat();
}

async function checked(check: ReadinessCheck['check']): Promise<string | null> {
  const late = new Promise<string>((done) => setTimeout(done, PATIENCE_MS, 'it does not answer').unref());
  try {
    return await Promise.race([Promise.resolve(check()), late]);
  } catch (error) {
    return errorMessage(error);
  }
}
