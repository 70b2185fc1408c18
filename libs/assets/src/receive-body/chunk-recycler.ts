import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Frees the memory of body chunks as soon as they are stored. Left to the garbage collector, a hundred megabytes in
 * chunks of 64 KiB trigger a full collection every few dozen megabytes, which costs more CPU than the rest of an
 * upload. Only chunks of node:http are freed: it copies each of them for its only reader.
 */
export function chunkRecycler(body: Readable): ((chunk: Buffer) => void) | undefined {
  return body instanceof IncomingMessage ? recycle : undefined;
}

function recycle(chunk: Buffer): void {
  const memory: ArrayBufferLike & { transfer?(length: number): ArrayBuffer } = chunk.buffer;
  // A partial view may share its buffer; a view of the whole does not.
  if (chunk.byteOffset === 0 && chunk.length === memory.byteLength) memory.transfer?.(0);
}
