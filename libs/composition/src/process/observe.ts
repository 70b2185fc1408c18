import { monitorEventLoopDelay } from 'node:perf_hooks';
import { METRICS } from '@heddle/platform-telemetry';
import type { Logger, MetricsRegistry } from '@heddle/platform-telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Memory, CPU and event-loop delay of this process, read when the metrics are scraped. */
export function observeProcess(metrics: MetricsRegistry): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauge(...METRICS.eventLoopDelay, () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  });
  metrics.gauge(...METRICS.residentBytes, () => process.memoryUsage.rss());
  metrics.gauge(...METRICS.cpuSeconds, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

/** Counts answers by route and status, times them, and logs each at debug. */
export function requestObserver(
  metrics: MetricsRegistry,
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const requests = metrics.counter(...METRICS.requests);
  const seconds = metrics.histogram(...METRICS.requestSeconds);
  const logged = logger.isLevelEnabled('debug');
  return (request, reply) => {
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
    requests.add({ route, status: String(reply.statusCode) });
    seconds.observe(reply.elapsedTime / 1000, { route });
    if (!logged) return;
    const { method, url, id: requestId } = request;
    const milliseconds = Math.round(reply.elapsedTime * 100) / 100;
    logger.debug({ method, url: url.split('?', 1)[0], requestId, status: reply.statusCode, milliseconds }, 'request');
  };
}
