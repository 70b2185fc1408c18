import { rejectionCodeOf } from '@heddle/platform-http';
import { METRICS } from '@heddle/platform-telemetry';
import type { Logger, MetricsRegistry } from '@heddle/platform-telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
