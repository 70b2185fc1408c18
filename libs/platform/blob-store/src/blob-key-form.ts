import { isUuid } from '@heddle/contracts-messages';
import type { BlobKey } from './blob-store.js';

export function isBlobKey(name: string): name is BlobKey {
  return isUuid(name);
}

/** Throws unless it is a blob key, so that no name can leave the store's own area. */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error('a blob key is a lower-case UUID');
}
