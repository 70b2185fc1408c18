export {
  BLOB_STORE,
  BlobExistsError,
  BlobMissingError,
  BlobStoreRefusedError,
  BlobStoreUnavailableError,
  newBlobKey,
} from './blob-store.js';
export type { BlobKey, BlobStore, BlobWriter, ByteRange, SignedUrlTerms, StoredObject } from './blob-store.js';
export { DirectoryBlobStore } from './directory/directory-blob-store.js';
export { S3BlobStore } from './s3/s3-blob-store.js';
export { ObjectChangedError, S3Objects } from './s3/s3-objects.js';
export type { S3BlobStoreOptions } from './s3/s3-options.js';
export { TargetSigner } from './sign-urls/target-signer.js';
export { endOf, urlLife } from './sign-urls/url-life.js';
