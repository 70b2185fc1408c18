import type { BlobKey } from './blob-store.js';

const keyForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isBlobKey(name: string): name is BlobKey {
  return keyForm.test(name);
}

/** Throws unless it is a blob key, so that no name can leave the store's own area. */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error('a blob key is a lower-case UUID');
}
