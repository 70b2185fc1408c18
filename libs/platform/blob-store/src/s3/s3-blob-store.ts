import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Client } from 'minio';
import { assertBlobKey, isBlobKey } from '../blob-key-form.js';
import { BlobExistsError, BlobMissingError } from '../blob-store.js';
import type { BlobKey, BlobStore, BlobWriter, ByteRange, SignedUrlTerms, StoredObject } from '../blob-store.js';
import { lookInto, openBucket } from './open-bucket.js';
import { repeatCall } from './repeat-call.js';
import { S3BlobWriter } from './s3-blob-writer.js';
import { PAGE, S3Calls } from './s3-calls.js';
import { s3Client } from './s3-client.js';
import { isAbsent } from './s3-failure.js';
import { s3Settings } from './s3-options.js';
import type { S3BlobStoreOptions } from './s3-options.js';
import { signedUrl } from './signed-url.js';
import { unfinishedUploads } from './unfinished-uploads.js';
import { watchSilence } from './watch-silence.js';

/** One disk read: with the 64 KiB of Node a file takes twice as long. */
const READ_BYTES = 1024 * 1024;

/** Objects in one bucket of any S3 store; nothing else writes below the prefix. */
export class S3BlobStore implements BlobStore {
  private constructor(
    private readonly calls: S3Calls,
    private readonly signer: Client,
  ) {}

  /** Creates a missing bucket; rejects with a message that names the wrong setting. */
  static async open(options: S3BlobStoreOptions): Promise<S3BlobStore> {
    const settings = s3Settings(options);
    const calls = new S3Calls(await s3Client(settings, settings.endpoint, 'HEDDLE_S3_ENDPOINT'), settings);
    const signer = await s3Client(settings, settings.publicEndpoint, 'HEDDLE_S3_PUBLIC_ENDPOINT');
    await openBucket(calls);
    return new S3BlobStore(calls, signer);
  }

  async write(key: BlobKey, onTaken?: (chunk: Buffer) => void): Promise<BlobWriter> {
    const name = this.#nameOf(key);
    if ((await this.calls.sizeOf(name)) !== null) throw new BlobExistsError(key);
    return new S3BlobWriter(key, name, this.calls, onTaken);
  }

  async writeFile(key: BlobKey, file: string): Promise<void> {
    const writer = await this.write(key);
    try {
      for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES }))
        await writer.write(chunk as Buffer);
      await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    const answer = await this.calls.get(this.#nameOf(key), range).catch((error: unknown) => {
      throw isAbsent(error) ? new BlobMissingError(key) : error;
    });
    return watchSilence(answer, this.calls.settings.deadlines.silenceMs);
  }

  async stat(key: BlobKey): Promise<{ readonly sizeBytes: number } | null> {
    const sizeBytes = await this.calls.sizeOf(this.#nameOf(key));
    return sizeBytes === null ? null : { sizeBytes };
  }

  /** Uploads first: once they are gone, no writer can finish the object. */
  async delete(key: BlobKey): Promise<void> {
    const name = this.#nameOf(key);
    for await (const upload of unfinishedUploads(this.calls, name)) {
      if (upload.name === name) await this.calls.abortUpload(name, upload.uploadId);
    }
    await this.calls.remove(name);
  }

  /** One listing of unfinished objects serves all keys, because few are unfinished at any time. */
  async deleteAll(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, Error>> {
    if (keys.length === 0) return new Map();
    const keyOf = new Map(keys.map((key) => [this.#nameOf(key), key]));
    for await (const { name, uploadId } of unfinishedUploads(this.calls, this.calls.settings.prefix)) {
      if (keyOf.has(name)) await this.calls.abortUpload(name, uploadId);
    }
    const failures = await this.calls.removeAll([...keyOf.keys()]);
    return new Map(failures.map(({ name, error }) => [keyOf.get(name)!, error]));
  }

  async *list(): AsyncIterable<StoredObject> {
    for (let after = '', more = true; more;) {
      const page = await this.calls.listAfter(after);
      for (const { name = '', size = 0, lastModified = new Date(0) } of page) {
        const key = name.slice(this.calls.settings.prefix.length);
        if (isBlobKey(key)) yield { key, sizeBytes: size, modifiedAt: lastModified };
        after = name;
      }
      more = page.length === PAGE;
    }
  }

  async abortOrphans(olderThanMs: number): Promise<number> {
    let aborted = 0;
    for await (const { name, uploadId, begunAt } of unfinishedUploads(this.calls, this.calls.settings.prefix)) {
      if (begunAt.getTime() > Date.now() - olderThanMs) continue;
      await this.calls.abortUpload(name, uploadId);
      aborted += 1;
    }
    return aborted;
  }

  async health(): Promise<void> {
    const { healthMs } = this.calls.settings.deadlines;
    await repeatCall({ attempts: 1, deadlineMs: healthMs }, () => lookInto(this.calls));
  }

  /** At the public endpoint. */
  async signedUrl(key: BlobKey, terms: SignedUrlTerms): Promise<string> {
    return await signedUrl(this.signer, this.calls.settings, this.#nameOf(key), terms);
  }

  #nameOf(key: BlobKey): string {
    assertBlobKey(key);
    return `${this.calls.settings.prefix}${key}`;
  }
}
