import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Gives the memory of body chunks back as soon as they are stored. Left to the garbage collector, a hundred megabytes in
 * chunks of 64 KiB set off a full collection every few dozen megabytes, which costs more CPU than everything else that
 * an upload does. Only chunks of node:http are recycled: it copies each of them for its one reader.
 */
export function chunkRecycler(body: Readable): ((chunk: Buffer) => void) | undefined {
  return body instanceof IncomingMessage ? recycle : undefined;
}

function recycle(chunk: Buffer): void {
  const memory: ArrayBufferLike & { transfer?(length: number): ArrayBuffer } = chunk.buffer;
  // A view of a part may have neighbours; one of the whole has none.
  if (chunk.byteOffset === 0 && chunk.length === memory.byteLength) memory.transfer?.(0);
}
