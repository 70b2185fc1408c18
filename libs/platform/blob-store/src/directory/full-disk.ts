import { BlobStoreUnavailableError } from '../blob-store.js';

const FULL = ['ENOSPC', 'EDQUOT'];

/** A write that found no space may succeed later: it fails as a store that is away does, and says where space is missing. */
export function orFullDisk(error: unknown, folder: string): unknown {
  if (!FULL.includes((error as NodeJS.ErrnoException).code ?? '')) return error;
  return new BlobStoreUnavailableError(`no space left on the disk of ${folder}`, { cause: error });
}
