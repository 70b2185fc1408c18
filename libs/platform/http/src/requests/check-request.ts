import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import type { HttpLimits } from '../application/http-limits.js';

/** Refuses a request whose head exceeds a limit or violates HTTP/1.1; null if it is valid. */
export function checkHead(request: FastifyRequest, limits: HttpLimits): Rejection | null {
  const { rawHeaders, url = '' } = request.raw;
  if (url.length > limits.urlBytes) {
    return refuse('uri_too_long', { case: 'target', limit: limits.urlBytes });
  }
  // RFC 9112, 3.2.4: OPTIONS alone may ask for the whole server.
  if (!url.startsWith('/') && !(url === '*' && request.method === 'OPTIONS')) {
    return refuse('bad_request', { case: 'target' });
  }
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    bytes += name.length + rawHeaders[at + 1]!.length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > limits.headerBytes || rawHeaders.length / 2 > limits.headerCount) {
    const { headerBytes, headerCount } = limits;
    return refuse('headers_too_large', { case: 'headers', bytes: headerBytes, lines: headerCount });
  }
  if (hosts !== 1) return refuse('bad_request', { case: 'hosts' });
  return null;
}

interface UnknownRoute {
  readonly rejection: Rejection;
  readonly allow: string | null;
}

/** The answer for a request without a route: 405 with Allow if the path exists, otherwise 404. */
export function unknownRoute(request: FastifyRequest): UnknownRoute {
  const path = (request.raw.url ?? '').split('?', 1)[0]!;
  const methods = request.server.httpApi.methodsBeside(request, path);
  if (methods.length === 0) {
    return { rejection: refuse('not_found', { case: 'resource' }), allow: null };
  }
  const allow = methods.join(', ');
  return { rejection: refuse('method_not_allowed', { case: 'method', method: request.method, allow }), allow };
}
