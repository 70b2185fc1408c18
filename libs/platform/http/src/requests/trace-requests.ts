import { parseTraceparent } from '@heddle/platform-telemetry';
import type { SpanHandle, Tracer } from '@heddle/platform-telemetry';
import type { FastifyInstance } from 'fastify';
import { RequestNote } from './request-note.js';

/**
 * One server span per request, under the caller's trace context if it sent one. The request's `traceparent` header is
 * replaced with the span's context, so that a job carries it on to its worker.
 */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  const spans = new RequestNote<SpanHandle>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers['traceparent'];
    const parent = parseTraceparent(Array.isArray(given) ? given[0] : given);
    const route = request.routeOptions.url ?? 'unknown';
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'heddle.request_id': request.id };
    const span = tracer.startSpan(`${request.method} ${route}`, parent, { kind: 'server', attributes });
    spans.set(request, span);
    request.raw.headers['traceparent'] = span.traceparent;
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    spans.of(request)?.end({
      'http.response.status_code': status,
      'error.type': status >= 500 ? String(status) : undefined,
    });
    done();
  });
}
