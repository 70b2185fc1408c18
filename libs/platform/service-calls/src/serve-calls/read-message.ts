import type { IncomingMessage } from 'node:http';
import { PARTS_TYPE } from '../wire/call-headers.js';
import { decodeJson, decodeParts } from '../wire/call-message.js';
import type { ReceivedMessage } from '../wire/call-message.js';

export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError';
}

/** Reads a whole message of at most `limit` bytes. */
export async function readMessage(request: IncomingMessage, limit: number): Promise<ReceivedMessage> {
  const body = await readAll(request, limit);
  return request.headers['content-type'] === PARTS_TYPE ? decodeParts(body) : decodeJson(body);
}

function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = (): void => {
      request.removeAllListeners('data').pause();
      reject(new MessageTooLargeError(`the message is longer than the ${limit} bytes that this call takes`));
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge();
    const chunks: Buffer[] = [];
    let length = 0;
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > limit) return tooLarge();
        chunks.push(chunk);
      })
      .on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)))
      .on('error', reject)
      .on('close', () => reject(new Error('the message broke off')));
  });
}
