import type { IncomingMessage } from 'node:http';
import type { Rejection } from '@heddle/contracts-messages';
import type { BodyShare } from './body-budget.js';
import { GatheredBytes } from './gathered-bytes.js';
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
export function readBody(request: IncomingMessage, limits: BodyLimits, share: BodyShare): Promise<Buffer> {
  const { bodyBytes, bodyTimeoutMs } = limits;
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > bodyBytes) return reject(new RejectionError(tooLarge(bodyBytes)));
    const gathered = new GatheredBytes(announced);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('error', fail).off('close', close);
      settle();
    };
    // What was held is given back when the connection is done with: its memory is collected late, and was there until then.
    const refuse = (rejection: Rejection): void => finish(() => reject(new RejectionError(rejection)));
    const take = (chunk: Buffer): void => {
      if (gathered.size + chunk.length > bodyBytes) return refuse(tooLarge(bodyBytes));
      if (!share.grow(gathered.heldWith(chunk))) return refuse(BUSY);
      gathered.add(chunk);
      if (gathered.isFinelyCut) refuse(FINELY_CUT);
    };
    const end = (): void => finish(() => resolve(gathered.bytes()));
    const fail = (error: Error): void => finish(() => reject(error));
    const close = (): void => refuse({ code: 'bad_request', message: 'The body ended early.' });
    const late = (): void =>
      refuse({ code: 'request_timeout', message: `The body did not arrive within ${bodyTimeoutMs / 1000} s.` });
    const timer = setTimeout(late, bodyTimeoutMs);
    request.on('data', take).on('end', end).on('error', fail).on('close', close);
  });
}

const BUSY: Rejection = {
  code: 'rate_limited',
  message: 'The service holds as many bytes of requests as it may. Send the request again later.',
  retryAfterSeconds: BUSY_RETRY_SECONDS,
};
const FINELY_CUT: Rejection = {
  code: 'bad_request',
  message: 'The body comes in thousands of chunks of a few bytes. Send chunks of 16 bytes or more.',
};

function tooLarge(bodyBytes: number): Rejection {
  return { code: 'payload_too_large', message: `The body is larger than ${bodyBytes} bytes.` };
}
