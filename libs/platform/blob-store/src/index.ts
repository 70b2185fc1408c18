export {
  BLOB_STORE,
  BlobExistsError,
  BlobMissingError,
  BlobStoreRefusedError,
  BlobStoreUnavailableError,
  newBlobKey,
} from './blob-store.js';
export type { BlobKey, BlobStore, BlobWriter, ByteRange, StoredObject } from './blob-store.js';
export { DirectoryBlobStore } from './directory/directory-blob-store.js';
export { S3BlobStore } from './s3/s3-blob-store.js';
export type { S3BlobStoreOptions, S3Deadlines } from './s3/s3-options.js';
export type { SignedUrlOptions } from './s3/signed-url.js';
