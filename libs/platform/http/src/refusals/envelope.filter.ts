import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { refuse } from '@heddle/contracts-messages';
import type { Refusal } from './refusal.js';
import type { Logger } from '@heddle/platform-telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ADMIN_PATH } from '../ops/admin-path.js';
import { RejectionError } from './rejection-error.js';
import { sendRejection } from './send-rejection.js';

/** The only place where an exception becomes an envelope; unexpected ones are logged here, once. */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const rejection = this.#rejectionOf(error, request);
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    sendRejection(reply, rejection);
  }

  #rejectionOf(error: unknown, request: FastifyRequest): Refusal {
    if (error instanceof RejectionError) return error.rejection;
    const status = statusOf(error);
    if (status === 413) return refuse('payload_too_large', { case: 'length' });
    if (status !== null && status < 500) return refuse('bad_request', { case: 'unreadable' });
    this.#logger.error({ err: error, request_id: request.id, method: request.method }, 'a request failed');
    // A change by an operator has no idempotency key.
    const isChange = request.url.startsWith(ADMIN_PATH) && request.method !== 'GET' && request.method !== 'HEAD';
    return refuse('upstream_error', { case: isChange ? 'change_unknown' : 'unexpected', requestId: request.id });
  }
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  return typeof error.statusCode === 'number' ? error.statusCode : null;
}
