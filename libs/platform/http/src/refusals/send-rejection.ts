import type { FastifyReply } from 'fastify';
import { discardRest, hasLongRest } from '../bodies/discard-rest.js';
import type { Refusal } from './refusal.js';

/**
 * Sends a rejection. If much of the body is still to come, it is discarded first, so that the client gets to read the
 * answer.
 */
export function sendRejection(reply: FastifyReply, rejection: Refusal): void {
  const { status, headers, body } = reply.server.httpApi.answer(rejection, reply.request.raw.url ?? '');
  reply.rejectionCode = rejection.code;
  const { raw } = reply.request;
  if (raw.destroyed && !raw.complete) {
    reply.hijack();
    return;
  }
  if (!hasLongRest(raw) && rejection.code !== 'request_timeout') {
    void reply.status(status).headers(headers).send(body);
    return;
  }
  const set = { ...reply.getHeaders(), ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  for (const [name, value] of Object.entries(set)) if (value !== undefined) reply.raw.setHeader(name, value);
  reply.hijack();
  reply.raw.statusCode = status;
  reply.raw.write(body);
  // The client has the whole answer; the connection closes with the end of the request, or after the time-out.
  discardRest(raw, () => reply.raw.end());
}
