import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { MetricsRegistry } from '@heddle/platform-telemetry';

/** One thing that must be there before work can be done; answers null, or what it waits for. */
export interface ReadinessCheck {
  readonly name: string;
  check(): string | null | Promise<string | null>;
}

export interface OpsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: MetricsRegistry;
  readonly readiness: readonly ReadinessCheck[];
}

/** `/livez` (the event loop turns, nothing else), `/readyz` (names what it waits for), `/metrics` (Prometheus text). */
export async function startOpsServer({ host, port, metrics, readiness }: OpsServerOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0];
    const send = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, 'text/plain', 'GET only\n');
    if (path === '/livez') return send(200, 'text/plain', 'alive\n');
    if (path === '/metrics') return send(200, 'text/plain; version=0.0.4; charset=utf-8', metrics.text());
    if (path === '/readyz') {
      void waitingFor(readiness).then((waiting) => {
        const body = JSON.stringify({ ready: waiting.length === 0, waiting_for: waiting });
        send(waiting.length === 0 ? 200 : 503, 'application/json', `${body}\n`);
      });
      return;
    }
    send(404, 'text/plain', 'there are /livez, /readyz and /metrics\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

async function waitingFor(readiness: readonly ReadinessCheck[]): Promise<{ name: string; reason: string }[]> {
  const reasons = await Promise.all(
    readiness.map(async ({ name, check }) => {
      const reason = await Promise.resolve(check()).catch((error: unknown) => String(error));
      return reason === null ? [] : [{ name, reason }];
    }),
  );
  return reasons.flat();
}
