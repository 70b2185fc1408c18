import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OriginGuard } from '@heddle/platform-http';

const EXPOSED = 'Retry-After, Content-Range, Accept-Ranges, X-Request-Id, Location';

/** Lets pages of listed origins read answers, and answers their preflights; returns true if it has answered. */
export function applyCors(guard: OriginGuard, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !guard.allows(origin)) return false;
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
  });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  void reply
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Range, X-Request-Id',
      'access-control-max-age': '600',
    })
    .status(204)
    .send();
  return true;
}
