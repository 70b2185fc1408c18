import type { IncomingMessage } from 'node:http';
import { RejectionError } from './rejection-error.js';

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly bodyTimeoutMs: number;
}

/** The whole body as bytes, whatever its content type says; too large is 413, too slow 408 (decisions, Error codes). */
export function readBody(request: IncomingMessage, { bodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Buffer> {
  const tooLarge = (): RejectionError =>
    new RejectionError({ code: 'payload_too_large', message: `The body is larger than ${bodyBytes} bytes.` });
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > bodyBytes) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('error', fail).off('close', close);
      settle();
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > bodyBytes) finish(() => reject(tooLarge()));
      else chunks.push(chunk);
    };
    const end = (): void => finish(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    const fail = (error: Error): void => finish(() => reject(error));
    const close = (): void =>
      finish(() => reject(new RejectionError({ code: 'bad_request', message: 'The body ended early.' })));
    const late = (): void => {
      const message = `The body did not arrive within ${bodyTimeoutMs / 1000} s.`;
      finish(() => reject(new RejectionError({ code: 'request_timeout', message })));
    };
    const timer = setTimeout(late, bodyTimeoutMs);
    request.on('data', take).on('end', end).on('error', fail).on('close', close);
  });
}
