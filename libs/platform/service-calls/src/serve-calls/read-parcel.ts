import type { IncomingMessage } from 'node:http';
import { BUNDLE_TYPE, PARTS_TYPE } from '../wire/call-headers.js';
import { decodeJson, decodeParts } from '../wire/parcel.js';
import type { ReceivedParcel } from '../wire/parcel.js';

export class ParcelTooLargeError extends Error {
  override readonly name = 'ParcelTooLargeError';
}

/** Reads a whole parcel of at most `limit` bytes. */
export async function readParcel(request: IncomingMessage, limit: number): Promise<ReceivedParcel> {
  const body = await readAll(request, limit);
  const type = request.headers['content-type'];
  return type === PARTS_TYPE || type === BUNDLE_TYPE ? decodeParts(body) : decodeJson(body);
}

function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = (): void => {
      request.removeAllListeners('data').pause();
      reject(new ParcelTooLargeError(`the parcel is longer than the ${limit} bytes that this call takes`));
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
      .on('close', () => reject(new Error('the parcel broke off')));
  });
}
