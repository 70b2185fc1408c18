import { open, rename, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { BlobExistsError } from '../blob-store.js';
import type { BlobKey, BlobWriter } from '../blob-store.js';
import { ChunkBatch } from '../chunk-batch/chunk-batch.js';
import type { KeyPath } from './key-path.js';

/** One write to the disk; two of them are the most that a writer holds. */
const BATCH_BYTES = 1024 * 1024;

/** Writes to a temporary name with one batch in flight while the next one fills; fsyncs once, at the end. */
export class DirectoryBlobWriter implements BlobWriter {
  readonly #batch = new ChunkBatch();
  #position = 0;
  #inFlight: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #ended = false;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: KeyPath,
    private readonly onTaken: ((chunk: Buffer) => void) | undefined,
  ) {}

  static async create(key: BlobKey, path: KeyPath, onTaken?: (chunk: Buffer) => void): Promise<DirectoryBlobWriter> {
    const finished = exists(path.finished);
    finished.catch(ignore);
    let file: FileHandle;
    try {
      file = await open(path.unfinished, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new BlobExistsError(key);
      throw error;
    }
    try {
      if (await finished) throw new BlobExistsError(key);
    } catch (error) {
      await file.close();
      await unlink(path.unfinished);
      throw error;
    }
    return new DirectoryBlobWriter(file, path, onTaken);
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
    if (this.#batch.bytes > 0) await this.#flush();
    this.#assertUsable();
    this.#ended = true;
    // Opened while the disk takes the bytes. Nobody waits for what is done with to be closed.
    const folder = open(this.path.folder, 'r');
    folder.catch(ignore);
    try {
      await this.file.sync();
      await rename(this.path.unfinished, this.path.finished);
      // fsync of a file does not cover its directory entry.
      await (await folder).sync();
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      this.file.close().catch(ignore);
      folder.then(async (handle) => await handle.close()).catch(ignore);
    }
  }

  async abort(): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      await this.#inFlight;
      await this.file.close().catch(ignore);
    }
    await unlink(this.path.unfinished).catch(ignore);
    await unlink(this.path.finished).catch(ignore);
  }

  async #whenFree(): Promise<void> {
    await this.#inFlight;
    this.#assertUsable();
    if (this.#batch.bytes >= BATCH_BYTES && this.#inFlight === null) this.#inFlight = this.#flush();
  }

  /** Never rejects: its failure waits for the next call, so no rejection goes unheard. */
  async #flush(): Promise<void> {
    const { chunks, given, bytes } = this.#batch.take();
    const position = this.#position;
    this.#position += bytes;
    try {
      const { bytesWritten } = await this.file.writev(chunks, position);
      if (bytesWritten < bytes)
        await this.#writeRest(Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten);
      if (this.onTaken !== undefined) for (const chunk of given) this.onTaken(chunk);
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#inFlight = null;
    }
  }

  /** A full disk takes a part of a write first and fails the next one. */
  async #writeRest(rest: Buffer, position: number): Promise<void> {
    for (let done = 0; done < rest.length;) {
      const { bytesWritten } = await this.file.write(rest, done, rest.length - done, position + done);
      done += bytesWritten;
    }
  }

  #assertUsable(): void {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#ended) throw new Error('the writer has ended');
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function ignore(): void {
  // Leftovers of an aborted object are found again by its intent row.
}
