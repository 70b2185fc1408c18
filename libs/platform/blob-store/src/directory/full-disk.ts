import { BlobStoreUnavailableError } from '../blob-store.js';

const FULL = ['ENOSPC', 'EDQUOT'];

/**
 * A write without disk space may succeed later: it is reported like an unreachable store, with the folder that is full.
 */
export function orFullDisk(error: unknown, folder: string): unknown {
  if (!FULL.includes((error as NodeJS.ErrnoException).code ?? '')) return error;
  return new BlobStoreUnavailableError(`no space left on the disk of ${folder}`, { cause: error });
}
