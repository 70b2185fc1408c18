import { loggedTarget, rejectionCodeOf } from '@heddle/platform-http';
import type { Logger, MetricsRegistry } from '@heddle/platform-telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROCESS_METRICS } from '../metrics.js';
import { ignoredQuery } from './ignored-query.js';

/** Counts answers by route, status and refusal, measures their time, and logs each at debug. */
export function requestObserver(
  metrics: MetricsRegistry,
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const requests = metrics.counter(PROCESS_METRICS.requests);
  const refusals = metrics.counter(PROCESS_METRICS.refusals);
  const seconds = metrics.histogram(PROCESS_METRICS.requestSeconds);
  const logged = logger.isLevelEnabled('debug');
  return (request, reply) => {
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
    requests.inc({ route, status: String(reply.statusCode) });
    seconds.observe({ route }, reply.elapsedTime / 1000);
    const code = rejectionCodeOf(reply);
    if (code !== null) refusals.inc({ code });
    if (!logged) return;
    const { method, id } = request;
    const url = loggedTarget(request.url);
    const milliseconds = Math.round(reply.elapsedTime * 100) / 100;
    const line = { method, url: url.split('?', 1)[0], request_id: id, status: reply.statusCode, milliseconds };
    const ignored = ignoredQuery(route, url);
    logger.debug(ignored === null ? line : { ...line, ignored_query: ignored }, 'request');
  };
}

/** Counts requests from their head to the end of their answer, except open event streams. */
export function observeActive(metrics: MetricsRegistry, fastify: FastifyInstance): void {
  let active = 0;
  metrics.gauge(PROCESS_METRICS.activeRequests, () => active);
  const over = (): void => void (active -= 1);
  fastify.addHook('onRequest', (_request, { raw }, done) => {
    active += 1;
    // Node emits it once for every answer, also for abandoned ones.
    raw.once('close', over);
    done();
  });
}
