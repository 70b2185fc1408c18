import { access, constants, mkdir, open, opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { BlobMissingError, BlobStoreRefusedError, BlobStoreUnavailableError } from '../blob-store.js';
import type { BlobKey, BlobStore, BlobWriter, ByteRange, SignedUrlTerms, StoredObject } from '../blob-store.js';
import type { TargetSigner } from '../sign-urls/target-signer.js';
import { DirectoryBlobWriter } from './directory-blob-writer.js';
import { keepFile } from './keep-file.js';
import { firstLevelFolders, keyOfFileName, keyOfUnfinished, keyPath, leafFolders } from './key-path.js';
import { syncFolder } from './sync-folder.js';

/** Per reader. It shrinks with many readers: together they prefetch READ_AHEAD_BYTES, and each holds a few chunks. */
const MAX_CHUNK_BYTES = 256 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;
const READ_AHEAD_BYTES = 16 * 1024 ** 2;
const DELETIONS_AT_ONCE = 8;

/** Objects as files in a local folder that nothing else writes to. */
export class DirectoryBlobStore implements BlobStore {
  /** Open streams. */
  #readers = 0;

  private constructor(
    private readonly root: string,
    private readonly signer: TargetSigner | null,
  ) {}

  /**
   * Creates the folders where they are missing. Without a signer there are no signed URLs.
   *
   * @throws BlobStoreRefusedError when the folders cannot be made or written
   */
  static async open(root: string, signer: TargetSigner | null = null): Promise<DirectoryBlobStore> {
    try {
      for (const folder of leafFolders(root)) await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const folder of [...firstLevelFolders(root), root]) await syncFolder(folder);
      await access(root, constants.W_OK);
    } catch (error) {
      const reason = errorMessage(error);
      const message = `The folder of the blobs ${root} cannot be used: ${reason}. Choose another data folder with HEDDLE_DATA.`;
      throw new BlobStoreRefusedError(message, { cause: error });
    }
    return new DirectoryBlobStore(root, signer);
  }

  async write(key: BlobKey, onTaken?: (chunk: Buffer) => void): Promise<BlobWriter> {
    return await DirectoryBlobWriter.create(key, keyPath(this.root, key), onTaken);
  }

  async writeFile(key: BlobKey, file: string): Promise<void> {
    await keepFile(key, keyPath(this.root, key), file);
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    const file = await open(keyPath(this.root, key).finished, 'r').catch(missing(key));
    // From here the stream owns the handle: its end, an error or destroy() closes it.
    this.#readers += 1;
    const highWaterMark = Math.max(
      MIN_CHUNK_BYTES,
      Math.min(MAX_CHUNK_BYTES, Math.floor(READ_AHEAD_BYTES / this.#readers)),
    );
    return file.createReadStream({ ...range, highWaterMark }).once('close', () => (this.#readers -= 1));
  }

  /** Heddle's own route: the service behind it verifies the target with the same keys. */
  signedUrl(key: BlobKey, { filePath, life }: SignedUrlTerms): Promise<string> {
    if (this.signer === null) return Promise.reject(new Error('this folder of blobs was opened without keys for URLs'));
    return Promise.resolve(this.signer.sign(key, filePath, life));
  }

  async stat(key: BlobKey): Promise<{ readonly sizeBytes: number } | null> {
    try {
      return { sizeBytes: (await stat(keyPath(this.root, key).finished)).size };
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  async delete(key: BlobKey): Promise<void> {
    const path = keyPath(this.root, key);
    for (const file of [path.unfinished, path.finished]) {
      await unlink(file).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }

  async deleteAll(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, Error>> {
    const failures = new Map<BlobKey, Error>();
    const queue = keys.values();
    const worker = async (): Promise<void> => {
      for (const key of queue) {
        await this.delete(key).catch((error: unknown) => {
          failures.set(key, error instanceof Error ? error : new Error(String(error)));
        });
      }
    };
    await Promise.all(Array.from({ length: DELETIONS_AT_ONCE }, worker));
    return failures;
  }

  async *list(): AsyncIterable<StoredObject> {
    for (const folder of leafFolders(this.root)) {
      for await (const entry of await opendir(folder)) {
        const key = keyOfFileName(entry.name);
        if (key === null) continue;
        // A file deleted between the two calls is skipped.
        const found = await stat(keyPath(this.root, key).finished).catch(() => null);
        if (found !== null) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
      }
    }
  }

  async abortOrphans(olderThanMs: number): Promise<number> {
    let removed = 0;
    for (const folder of leafFolders(this.root)) {
      for await (const entry of await opendir(folder)) {
        if (keyOfUnfinished(entry.name) === null) continue;
        const file = join(folder, entry.name);
        const found = await stat(file).catch(() => null);
        if (found === null || found.mtimeMs > Date.now() - olderThanMs) continue;
        await unlink(file);
        removed += 1;
      }
    }
    return removed;
  }

  async health(): Promise<void> {
    // A subfolder: the root may be the empty mount point of a volume that is not mounted.
    const folder = leafFolders(this.root)[0]!;
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) => {
      throw new BlobStoreUnavailableError(`the folder of blobs ${this.root} cannot be used`, { cause: error });
    });
  }
}

function isNotFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function missing(key: BlobKey): (error: unknown) => never {
  return (error) => {
    throw isNotFound(error) ? new BlobMissingError(key) : error;
  };
}
