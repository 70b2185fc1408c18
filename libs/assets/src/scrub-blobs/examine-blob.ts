import { Blake3Hasher } from '@napi-rs/blake-hash';
import { blobHashOf } from '@heddle/assets-domain';
import { BlobMissingError } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import type { ScrubbedBlobRow } from './scrub-blobs.sql.js';

/** Read in pieces, so that a slow pass does not hold a store connection open for minutes. */
const PIECE_BYTES = 2 * 1024 * 1024;

export type Finding = 'sound' | 'missing' | 'wrong size' | 'wrong bytes';

/**
 * Reads a whole object and compares it with the database. `beforePiece` is called with the size of each piece and may
 * wait. An unreachable store is an error, not a finding.
 */
export async function examineBlob(
  store: BlobStore,
  blob: ScrubbedBlobRow,
  beforePiece: (bytes: number) => Promise<void>,
): Promise<Finding> {
  const found = await store.stat(blob.object_key);
  if (found === null) return 'missing';
  if (found.sizeBytes !== blob.size_bytes) return 'wrong size';
  const hasher = new Blake3Hasher();
  for (let start = 0; start < blob.size_bytes; start += PIECE_BYTES) {
    const bytes = Math.min(PIECE_BYTES, blob.size_bytes - start);
    await beforePiece(bytes);
    try {
      const piece = await store.read(blob.object_key, { start, end: start + bytes - 1 });
      for await (const chunk of piece) hasher.update(chunk as Buffer);
    } catch (error) {
      if (error instanceof BlobMissingError) return 'missing';
      throw error;
    }
  }
  return blobHashOf(hasher.digest('hex')) === blob.hash ? 'sound' : 'wrong bytes';
}
