import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { rejectionCodeOf } from '@heddle/platform-http';
import { METRICS } from '@heddle/platform-telemetry';
import type { Logger, MetricsRegistry } from '@heddle/platform-telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Version, memory, CPU and event-loop delay of this process, read when the metrics are scraped. */
export function observeProcess(metrics: MetricsRegistry): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauge(...METRICS.buildInfo).set(1, { version: heddleVersion(), node: process.versions.node });
  metrics.gauge(...METRICS.eventLoopDelay, () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  });
  metrics.gauge(...METRICS.residentBytes, () => process.memoryUsage.rss());
  metrics.counter(...METRICS.cpuSeconds, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function heddleVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Counts answers by route, status and refusal, times them, and logs each at debug. */
export function requestObserver(
  metrics: MetricsRegistry,
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const requests = metrics.counter(...METRICS.requests);
  const refusals = metrics.counter(...METRICS.refusals);
  const seconds = metrics.histogram(...METRICS.requestSeconds);
  const logged = logger.isLevelEnabled('debug');
  return (request, reply) => {
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
    requests.add({ route, status: String(reply.statusCode) });
    seconds.observe(reply.elapsedTime / 1000, { route });
    const code = rejectionCodeOf(reply);
    if (code !== null) refusals.add({ code });
    if (!logged) return;
    const { method, url, id } = request;
    const milliseconds = Math.round(reply.elapsedTime * 100) / 100;
    const line = { method, url: url.split('?', 1)[0], request_id: id, status: reply.statusCode, milliseconds };
    logger.debug(line, 'request');
  };
}

/** Counts requests from their head to the end of their answer; an open event stream is none of them. */
export function observeActive(metrics: MetricsRegistry, fastify: FastifyInstance): void {
  let active = 0;
  metrics.gauge(...METRICS.activeRequests, () => active);
  const over = (): void => void (active -= 1);
  fastify.addHook('onRequest', (_request, { raw }, done) => {
    active += 1;
    // Node tells it once of every answer, also of those that nobody waited for.
    raw.once('close', over);
    done();
  });
}
