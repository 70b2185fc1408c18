import { createReadStream } from 'node:fs';
import { Blake3Hasher } from '@napi-rs/blake-hash';

/** `blake3:<hex>` of a file, read in pieces, and the size that was read. */
export async function hashFile(path: string): Promise<{ readonly hash: string; readonly sizeBytes: number }> {
  const hasher = new Blake3Hasher();
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hasher.update(chunk);
    sizeBytes += chunk.length;
  }
  return { hash: `blake3:${hasher.digest('hex')}`, sizeBytes };
}
