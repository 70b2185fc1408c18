import { methodsOf } from '@heddle/contracts-api-v2';
import type { Rejection } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import type { HttpLimits } from './http-limits.js';

/** Refuses a request whose head is over a limit or not what HTTP/1.1 allows; null when it is fine. */
export function checkHead(request: FastifyRequest, limits: HttpLimits): Rejection | null {
  const { rawHeaders, url = '' } = request.raw;
  if (url.length > limits.urlBytes) {
    return { code: 'uri_too_long', message: `The request target is longer than ${limits.urlBytes} bytes.` };
  }
  if (!url.startsWith('/') && url !== '*') {
    return { code: 'bad_request', message: 'A request target begins with a slash.' };
  }
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    bytes += name.length + rawHeaders[at + 1]!.length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > limits.headerBytes || rawHeaders.length / 2 > limits.headerCount) {
    const message = `The headers are over their limit of ${limits.headerBytes} bytes or ${limits.headerCount} lines.`;
    return { code: 'headers_too_large', message };
  }
  if (hosts !== 1) return { code: 'bad_request', message: 'A request needs exactly one Host header.' };
  return null;
}

export interface UnknownRoute {
  readonly rejection: Rejection;
  readonly allow: string | null;
}

/** What a request without a route earns: 405 with Allow where the path exists, else 404. */
export function unknownRoute(request: FastifyRequest): UnknownRoute {
  const path = (request.raw.url ?? '').split('?', 1)[0]!;
  const methods = methodsOf(path);
  if (methods.length === 0) {
    return { rejection: { code: 'not_found', message: 'There is nothing at this address.' }, allow: null };
  }
  const allow = methods.join(', ');
  const message = `${request.method} is not offered here: use ${allow}.`;
  return { rejection: { code: 'method_not_allowed', message }, allow };
}
