import { existsSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { BlobExistsError } from '../blob-store.js';
import type { BlobKey, BlobWriter } from '../blob-store.js';
import { ChunkBatch } from '../chunk-batch/chunk-batch.js';
import { finishFile, isNameTaken, refuseFinished } from './finish-file.js';
import { orFullDisk } from './full-disk.js';
import type { KeyPath } from './key-path.js';

/** One disk write; a writer holds at most two. */
const BATCH_BYTES = 1024 * 1024;

/** Writes to a temporary name, with one batch in flight while the next one fills; one fsync at the end. */
export class DirectoryBlobWriter implements BlobWriter {
  readonly #batch = new ChunkBatch();
  #file: FileHandle | null = null;
  #position = 0;
  #inFlight: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #finishing: Promise<void> | null = null;
  #ended = false;

  private constructor(
    private readonly key: BlobKey,
    private readonly path: KeyPath,
    private readonly onTaken: ((chunk: Buffer) => void) | undefined,
  ) {}

  static async create(key: BlobKey, path: KeyPath, onTaken?: (chunk: Buffer) => void): Promise<DirectoryBlobWriter> {
    if (existsSync(path.finished)) throw new BlobExistsError(key);
    return await Promise.resolve(new DirectoryBlobWriter(key, path, onTaken));
  }

  write(chunk: Buffer): Promise<void> | undefined {
    this.#assertUsable();
    this.#batch.add(chunk);
    if (this.#batch.bytes < BATCH_BYTES) return undefined;
    if (this.#inFlight === null) {
      this.#inFlight = this.#flush();
      return undefined;
    }
    return this.#whenFree();
  }

  async finish(): Promise<void> {
    this.#assertUsable();
    await this.#inFlight;
    this.#assertUsable();
    if (this.#file === null || this.#batch.bytes > 0) await this.#flush();
    this.#assertUsable();
    this.#ended = true;
    this.#finishing = finishFile(this.#file!, this.path);
    try {
      await this.#finishing;
    } catch (error) {
      this.#failure = { error: orFullDisk(error, this.path.folder) };
      throw this.#failure.error;
    }
  }

  async abort(): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      await this.#inFlight;
      await this.#file?.close().catch(ignore);
    }
    await this.#finishing?.catch(ignore);
    // The name belongs to another writer with the same key.
    if (this.#failure?.error instanceof BlobExistsError) return;
    await unlink(this.path.unfinished).catch(ignore);
    await unlink(this.path.finished).catch(ignore);
  }

  async #whenFree(): Promise<void> {
    await this.#inFlight;
    this.#assertUsable();
    if (this.#batch.bytes >= BATCH_BYTES && this.#inFlight === null) this.#inFlight = this.#flush();
  }

  /** Never rejects: a failure surfaces at the next call, so no rejection is unhandled. */
  async #flush(): Promise<void> {
    const { chunks, given, bytes } = this.#batch.take();
    const position = this.#position;
    this.#position += bytes;
    try {
      this.#file ??= await this.#open().catch(this.#alreadyThere);
      const { bytesWritten } = bytes === 0 ? { bytesWritten: 0 } : await this.#file.writev(chunks, position);
      if (bytesWritten < bytes)
        await writeRest(this.#file, Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten);
      if (this.onTaken !== undefined) for (const chunk of given) this.onTaken(chunk);
    } catch (error) {
      this.#failure = { error: orFullDisk(error, this.path.folder) };
    } finally {
      this.#inFlight = null;
    }
  }

  async #open(): Promise<FileHandle> {
    const file = await open(this.path.unfinished, 'wx', 0o600);
    try {
      refuseFinished(this.path);
      return file;
    } catch (error) {
      await file.close().catch(ignore);
      await unlink(this.path.unfinished).catch(ignore);
      throw error;
    }
  }

  readonly #alreadyThere = (error: unknown): never => {
    throw isNameTaken(error) ? new BlobExistsError(this.key) : error;
  };

  #assertUsable(): void {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#ended) throw new Error('the writer has ended');
  }
}

/** A full disk first accepts part of a write and then fails the next one. */
async function writeRest(file: FileHandle, rest: Buffer, position: number): Promise<void> {
  for (let done = 0; done < rest.length;) {
    const { bytesWritten } = await file.write(rest, done, rest.length - done, position + done);
    done += bytesWritten;
  }
}

function ignore(): void {
  // Leftovers of an aborted object are found again through its intent row.
}
