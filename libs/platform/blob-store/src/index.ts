export { BLOB_STORE, BlobExistsError, BlobMissingError, newBlobKey } from './blob-store.js';
export type { BlobKey, BlobStore, BlobWriter, ByteRange, StoredObject } from './blob-store.js';
export { DirectoryBlobStore } from './directory/directory-blob-store.js';
