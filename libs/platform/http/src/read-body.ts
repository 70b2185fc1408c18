import type { IncomingMessage } from 'node:http';
import type { Rejection } from '@heddle/contracts-messages';
import type { BodyShare } from './body-budget.js';
import { BodyFaultError, gatherBody } from './gather-body.js';
import { RejectionError } from './rejection-error.js';

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly bodyTimeoutMs: number;
}

const BUSY_RETRY_SECONDS = 1;

/**
 * The whole body as bytes, whatever its content type says; too large is 413, too slow 408, and 429 where the process holds
 * as many bytes as it may (decisions, Error codes). `share` counts what is held.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits, share: BodyShare): Promise<Buffer> {
  try {
    return await gatherBody(request, limits, share);
  } catch (error) {
    throw error instanceof BodyFaultError ? new RejectionError(rejectionOf(error, limits)) : error;
  }
}

function rejectionOf({ fault }: BodyFaultError, { bodyBytes, bodyTimeoutMs }: BodyLimits): Rejection {
  switch (fault) {
    case 'too_large':
      return { code: 'payload_too_large', message: `The body is larger than ${bodyBytes} bytes.` };
    case 'no_room':
      return {
        code: 'rate_limited',
        message: 'The service holds as many bytes of requests as it may. Send the request again later.',
        retryAfterSeconds: BUSY_RETRY_SECONDS,
      };
    case 'finely_cut':
      return {
        code: 'bad_request',
        message: 'The body comes in thousands of chunks of a few bytes. Send chunks of 16 bytes or more.',
      };
    case 'late':
      return { code: 'request_timeout', message: `The body did not arrive within ${bodyTimeoutMs / 1000} s.` };
    case 'broken':
      return { code: 'bad_request', message: 'The body ended early.' };
  }
}
