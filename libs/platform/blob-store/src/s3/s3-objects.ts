import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobExistsError } from '../blob-store.js';
import { findBucket } from './open-bucket.js';
import { S3BlobWriter } from './s3-blob-writer.js';
import { PAGE, S3Calls } from './s3-calls.js';
import { s3Client } from './s3-client.js';
import { isAbsent, portError, s3Code } from './s3-failure.js';
import { s3Settings } from './s3-options.js';
import type { S3BlobStoreOptions } from './s3-options.js';
import { unfinishedUploads } from './unfinished-uploads.js';
import { watchSilence } from './watch-silence.js';

/** Somebody else wrote or removed an object since it was read. */
export class ObjectChangedError extends Error {
  constructor(readonly objectName: string) {
    super(`the object ${objectName} was changed by somebody else`);
    this.name = 'ObjectChangedError';
  }
}

interface ReadObject {
  readonly body: AsyncIterable<Buffer>;
  readonly sizeBytes: number;
  readonly etag: string;
  /** Since it was written, by the clock of the store. */
  readonly ageMs: number;
}

/** Objects by names that the caller chooses, below a prefix of a bucket that exists. */
export class S3Objects {
  private constructor(private readonly calls: S3Calls) {}

  /** Rejects with a message that names the wrong setting, or the bucket. */
  static async open(options: S3BlobStoreOptions): Promise<S3Objects> {
    const settings = s3Settings(options);
    const calls = new S3Calls(await s3Client(settings, settings.endpoint, 'HEDDLE_S3_ENDPOINT'), settings);
    await findBucket(calls);
    return new S3Objects(calls);
  }

  /** Null if there is none. An abort also ends the body. */
  async read(name: string, signal: AbortSignal | null = null): Promise<ReadObject | null> {
    const answer = await this.calls.get(this.#full(name), undefined, signal).catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    });
    if (answer === null) return null;
    if (signal !== null) addAbortSignal(signal, answer);
    const { etag = '', date = '', 'last-modified': writtenAt = '' } = answer.headers;
    return {
      body: bodyOf(watchSilence(answer, this.calls.settings.deadlines.silenceMs), signal),
      sizeBytes: Number(answer.headers['content-length']),
      etag,
      ageMs: Date.parse(date) - Date.parse(writtenAt),
    };
  }

  /**
   * Stores a small object in one call, which readers see whole or not at all, in the place of the one that has the ETag
   * `replaces`; null: there must be none. Returns its ETag. @throws ObjectChangedError
   */
  async put(name: string, bytes: Buffer, replaces: string | null): Promise<string> {
    try {
      return await this.calls.putIf(this.#full(name), bytes, replaces);
    } catch (error) {
      if (!CONFLICTS.has(s3Code(error) ?? '') && !isAbsent(error)) throw error;
      // Possibly an earlier attempt of this call, whose answer was lost.
      const found = await this.read(name);
      if (found === null || !(await buffer(found.body)).equals(bytes)) throw new ObjectChangedError(name);
      return found.etag;
    }
  }

  /** Stores a new object of any size; two parts of it are in memory. @throws ObjectChangedError if the name is taken */
  async write(name: string, chunks: AsyncIterable<Buffer>, signal: AbortSignal | null = null): Promise<void> {
    signal?.throwIfAborted();
    const writer = new S3BlobWriter(name, this.#full(name), this.calls, undefined);
    const abort = (): void => void writer.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      for await (const chunk of chunks) await writer.write(chunk);
      await writer.finish();
    } catch (error) {
      await writer.abort();
      signal?.throwIfAborted();
      throw error instanceof BlobExistsError ? new ObjectChangedError(name) : error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async remove(name: string): Promise<void> {
    await this.calls.remove(this.#full(name));
  }

  /** The names that begin with `start`, in order. */
  async *list(start: string): AsyncIterable<string> {
    const { prefix } = this.calls.settings;
    for (let after = '', more = true; more;) {
      const page = await this.calls.listAfter(after, this.#full(start));
      for (const { name = '' } of page) {
        yield name.slice(prefix.length);
        after = name;
      }
      more = page.length === PAGE;
    }
  }

  /** Aborts the uploads of names that begin with `start`: nobody else may be writing them. */
  async abortUploads(start: string): Promise<void> {
    for await (const { name, uploadId } of unfinishedUploads(this.calls, this.#full(start)))
      await this.calls.abortUpload(name, uploadId);
  }

  #full(name: string): string {
    return `${this.calls.settings.prefix}${name}`;
  }
}

/** AWS answers the second one if another writer was faster by a moment. */
const CONFLICTS: ReadonlySet<string> = new Set(['PreconditionFailed', 'ConditionalRequestConflict']);

async function* bodyOf(answer: AsyncIterable<unknown>, signal: AbortSignal | null): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of answer) yield chunk as Buffer;
  } catch (error) {
    signal?.throwIfAborted();
    throw portError(error);
  }
}
