import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';

declare const blobKey: unique symbol;
/**
 * Names one stored object: a random UUID that is never used twice, never renamed and never copied. What bytes it holds
 * stands in the database alone, so a key that was deleted cannot come back with other bytes.
 */
export type BlobKey = string & { readonly [blobKey]: true };

export function newBlobKey(): BlobKey {
  return randomUUID() as BlobKey;
}

/** Where immutable bytes live. Implementations pass `describeBlobStore` (`blob-store.suite.ts`). */
export interface BlobStore {
  /**
   * Starts an object. Its bytes cannot be read before `finish` resolved. Rejects with BlobExistsError. `onTaken` is told
   * each chunk that is needed no longer, so that its memory can be given back at once.
   */
  write(key: BlobKey, onTaken?: (chunk: Buffer) => void): Promise<BlobWriter>;
  /** The bytes, or those of the range. Rejects with BlobMissingError before any stream exists. */
  read(key: BlobKey, range?: ByteRange): Promise<Readable>;
  /** null for an object that does not exist or is not finished. */
  stat(key: BlobKey): Promise<{ readonly sizeBytes: number } | null>;
  /** Removes the object, also an unfinished one; removing what does not exist is fine. */
  delete(key: BlobKey): Promise<void>;
  /**
   * The same for many at once, in a few calls to a store that can. Resolves with the keys that are still there and why;
   * rejects where the store is away or refuses them all.
   */
  deleteAll(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, Error>>;
  /** Every finished object, in no order. */
  list(): AsyncIterable<StoredObject>;
  /**
   * Ends objects that were begun so long ago and never finished, and returns how many. For what no intent row names any
   * more: writers that are alive must be younger.
   */
  abortOrphans(olderThanMs: number): Promise<number>;
  /** Resolves when the store can be used now; rejects with BlobStoreUnavailableError or BlobStoreRefusedError. */
  health(): Promise<void>;
}
export const BLOB_STORE = Symbol('BlobStore');

export interface BlobWriter {
  /**
   * Takes the chunk without a copy: the caller leaves it unchanged from now on. A promise asks the caller to wait
   * before the next chunk; a failure of an earlier chunk is thrown or rejected here, and again by `finish`.
   */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Resolves when the bytes and their name are on stable storage. */
  finish(): Promise<void>;
  /** Leaves nothing behind; never rejects, may be called at any time and more than once. */
  abort(): Promise<void>;
}

/** First and last byte, both included; within the object. */
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
  constructor(readonly key: BlobKey) {
    super(`the key ${key} is in use; keys are written once`);
  }
}

/** The store is away or overloaded: what was asked may be asked again later. */
export class BlobStoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobStoreUnavailableError';
  }
}

/** The store answers, and says no: wrong credentials, a bucket that is not there, a right that is missing. */
export class BlobStoreRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobStoreRefusedError';
  }
}
