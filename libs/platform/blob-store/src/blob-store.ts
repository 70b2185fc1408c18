import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { UrlLife } from './sign-urls/url-life.js';

declare const blobKey: unique symbol;
/**
 * Names one stored object: a random UUID, never reused, renamed or copied. Only the database records its content, so a
 * deleted key cannot come back with other bytes.
 */
export type BlobKey = string & { readonly [blobKey]: true };

export function newBlobKey(): BlobKey {
  return randomUUID() as BlobKey;
}

/** Where immutable bytes live. Implementations pass `libs/platform/blob-store/src/blob-store.suite.ts`. */
export interface BlobStore {
  /**
   * Starts an object. Its bytes are not readable before `finish` resolves. Rejects with BlobExistsError. `onTaken`
   * receives each chunk that is no longer needed, so that its memory can be freed at once.
   */
  write(key: BlobKey, onTaken?: (chunk: Buffer) => void): Promise<BlobWriter>;
  /**
   * Makes a local file an object, as `write` does. The file stays its owner's to remove; nobody changes its bytes any
   * more, because the object may share them. A failure leaves no object. Rejects with BlobExistsError.
   */
  writeFile(key: BlobKey, file: string): Promise<void>;
  /** Streams the object, or the range. Rejects with BlobMissingError before any stream exists. */
  read(key: BlobKey, range?: ByteRange): Promise<Readable>;
  /**
   * A link that gives the object, as a download of plain bytes, to everyone who has it: absolute, or path and query of
   * a route of Heddle at any origin. It is not checked that the object exists. Nothing but its end and the end of the
   * object ends it.
   */
  signedUrl(key: BlobKey, terms: SignedUrlTerms): Promise<string>;
  /** null if the object does not exist or is not finished. */
  stat(key: BlobKey): Promise<{ readonly sizeBytes: number } | null>;
  /** Removes the object, finished or not; a missing object is not an error. */
  delete(key: BlobKey): Promise<void>;
  /**
   * Removes many objects, in few calls if the store supports that. Resolves with the keys that remain and the reason;
   * rejects if the store is unreachable or refuses all.
   */
  deleteAll(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, Error>>;
  /** Every finished object, unordered. */
  list(): AsyncIterable<StoredObject>;
  /**
   * Removes objects started longer ago than this and never finished; returns their number. For objects that no intent
   * row names any more: active writers must be younger.
   */
  abortOrphans(olderThanMs: number): Promise<number>;
  /** Resolves if the store is usable now; rejects with BlobStoreUnavailableError or BlobStoreRefusedError. */
  health(): Promise<void>;
}
export const BLOB_STORE = Symbol('BlobStore');

/** One object that is being written. No suite: that of `BlobStore` writes through it. */
export interface BlobWriter {
  /**
   * Takes ownership of the chunk: the caller must not change it. If a promise is returned, wait for it before the next
   * chunk. Failures of earlier chunks are thrown or rejected here, and again by `finish`.
   */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Resolves when the bytes and their name are on stable storage. */
  finish(): Promise<void>;
  /** Removes everything written; never rejects, may be called at any time and repeatedly. */
  abort(): Promise<void>;
}

export interface SignedUrlTerms {
  /** Its last segment names the download. */
  readonly filePath: string;
  readonly life: UrlLife;
}

/** First and last byte, both inclusive; within the object. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  readonly key: BlobKey;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

export class BlobMissingError extends Error {
  constructor(readonly key: BlobKey) {
    super(`no stored object has the key ${key}`);
  }
}

export class BlobExistsError extends Error {
  constructor(readonly key: string) {
    super(`the key ${key} is in use; keys are written once`);
  }
}

/** The store is unreachable or overloaded: the request may be retried later. */
export class BlobStoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobStoreUnavailableError';
  }
}

/** The store refuses: wrong credentials, a missing bucket, a missing permission. */
export class BlobStoreRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobStoreRefusedError';
  }
}
