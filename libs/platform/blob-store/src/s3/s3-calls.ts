import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BucketItem, Client } from 'minio';
import type { ByteRange } from '../blob-store.js';
import { crc32Of } from './crc32-of.js';
import { repeatCall } from './repeat-call.js';
import { isAbsent, s3Code } from './s3-failure.js';
import type { S3Settings } from './s3-options.js';

/** Chunks kept until the store has them, so that an attempt can be repeated. */
interface Content {
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
}

export interface StoredPart {
  readonly number: number;
  readonly etag: string;
  readonly crc32: string | null;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly objectName: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

interface DeleteFailure {
  readonly Code: string;
  readonly Message: string;
  readonly Key: string;
}

/** Below S3's page of 1,000: the client requests no further page that would be discarded. */
export const PAGE = 900;
const ALL = { start: 0, bytes: 0 };

/** An object with this name existed before and was not written by us. */
export class NameTakenError extends Error {}

/**
 * The calls that transfer content, each with a deadline and bounded attempts. Names include the prefix. Parts and their
 * completion are plain requests: the client's multipart upload supports neither conditions nor CRC-32, takes over
 * another writer's unfinished upload, and does not resend a part.
 */
export class S3Calls {
  constructor(
    readonly client: Client,
    readonly settings: S3Settings,
  ) {}

  /** Stores a small object in one call, unless the name is taken. */
  async putObject(name: string, content: Content, signal: AbortSignal): Promise<void> {
    const { chunks, bytes } = content;
    await this.#repeat(this.settings.deadlines.transferMs, signal, async (attempt) => {
      try {
        const body = Readable.from(chunks, { objectMode: false });
        await this.client.putObject(this.settings.bucket, name, body, bytes, { 'if-none-match': '*' });
      } catch (error) {
        // Possibly our own earlier attempt, whose answer was lost: the caller checks the size in any case.
        if (s3Code(error) !== 'PreconditionFailed') throw error;
        if (attempt === 1) throw new NameTakenError(name);
      }
    });
  }

  /**
   * Stores an object in one call, in the place of the one that has `etag`; null: there must be none. Returns its own
   * ETag. Rejects with the store's code if the condition does not hold, also after an attempt whose answer was lost.
   */
  async putIf(name: string, bytes: Buffer, etag: string | null): Promise<string> {
    const headers: Record<string, string> = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
    const content = { chunks: [bytes], bytes: bytes.length };
    const answer = await this.#repeat(this.settings.deadlines.transferMs, null, () =>
      this.#send({ method: 'PUT', objectName: name, headers }, content),
    );
    if (answer.headers.etag === undefined) throw new Error(`the S3 store returned no ETag for ${name}`);
    return answer.headers.etag;
  }

  async beginUpload(name: string, signal: AbortSignal): Promise<string> {
    const headers = this.settings.checksums ? { 'x-amz-checksum-algorithm': 'CRC32' } : {};
    return this.#repeat(this.settings.deadlines.callMs, signal, () =>
      this.client.initiateNewMultipartUpload(this.settings.bucket, name, headers),
    );
  }

  async putPart(
    name: string,
    uploadId: string,
    number: number,
    content: Content,
    signal: AbortSignal,
  ): Promise<StoredPart> {
    const { headers, crc32 } = this.#checksum(content);
    const query = `partNumber=${number}&uploadId=${encodeURIComponent(uploadId)}`;
    const answer = await this.#repeat(this.settings.deadlines.transferMs, signal, () =>
      this.#send({ method: 'PUT', objectName: name, query, headers }, content),
    );
    const etag = answer.headers.etag;
    if (etag === undefined) throw new Error('the S3 store returned no ETag for a part');
    return { number, etag, crc32 };
  }

  /** Combines the parts into one object, unless the name is taken. */
  async completeUpload(
    name: string,
    uploadId: string,
    parts: readonly StoredPart[],
    signal: AbortSignal,
  ): Promise<void> {
    const query = `uploadId=${encodeURIComponent(uploadId)}`;
    const content = Buffer.from(completion(parts));
    await this.#repeat(this.settings.deadlines.completeMs, signal, async (attempt) => {
      try {
        const request: Request = { method: 'POST', objectName: name, query, headers: { 'if-none-match': '*' } };
        await this.#assertCompleted(await this.#begin(request, { chunks: [content], bytes: content.length }));
      } catch (error) {
        const code = s3Code(error);
        if (code === 'PreconditionFailed' && attempt === 1) throw new NameTakenError(name);
        if (attempt === 1 || (code !== 'NoSuchUpload' && code !== 'PreconditionFailed')) throw error;
      }
    });
  }

  /** Aborts the upload and removes its parts; a missing upload is not an error. */
  async abortUpload(name: string, uploadId: string): Promise<void> {
    await this.#repeat(this.settings.deadlines.callMs, null, () =>
      this.client.abortMultipartUpload(this.settings.bucket, name, encodeURIComponent(uploadId)).catch(unlessAbsent),
    );
  }

  /** The unread answer of a read; exactly the range, if one is given. */
  async get(name: string, range?: ByteRange, signal: AbortSignal | null = null): Promise<IncomingMessage> {
    const { bucket } = this.settings;
    const { start, bytes } = range === undefined ? ALL : { start: range.start, bytes: range.end - range.start + 1 };
    return this.#repeat(this.settings.deadlines.callMs, signal, async () => {
      // The client's stream is the HTTP answer itself.
      const answer = (await this.client.getPartialObject(bucket, name, start, bytes)) as IncomingMessage;
      const given = Number(answer.headers['content-length'] ?? Number.NaN);
      if (range === undefined || given === bytes) return answer;
      answer.destroy();
      throw new Error(`the S3 store answered ${given} bytes for bytes ${range.start} to ${range.end}`);
    });
  }

  /** At most PAGE objects below a prefix whose names sort after `after`, in order. */
  async listAfter(after: string, prefix = this.settings.prefix): Promise<readonly BucketItem[]> {
    const { bucket, deadlines } = this.settings;
    return this.#repeat(deadlines.callMs, null, async () => {
      const page: BucketItem[] = [];
      for await (const object of this.client.listObjectsV2(bucket, prefix, true, after)) {
        if (page.push(object as BucketItem) === PAGE) break;
      }
      return page;
    });
  }

  async sizeOf(name: string): Promise<number | null> {
    return this.#repeat(this.settings.deadlines.callMs, null, async () => {
      const found = await this.client.statObject(this.settings.bucket, name).catch(unlessAbsent);
      return found?.size ?? null;
    });
  }

  async remove(name: string): Promise<void> {
    await this.#repeat(this.settings.deadlines.callMs, null, () =>
      this.client.removeObject(this.settings.bucket, name).catch(unlessAbsent),
    );
  }

  /** Returns the objects that the store could not remove. */
  async removeAll(names: readonly string[]): Promise<readonly { readonly name: string; readonly error: Error }[]> {
    const answers = await this.#repeat(this.settings.deadlines.callMs, null, () =>
      this.client.removeObjects(this.settings.bucket, [...names]),
    );
    // The client's types nest each answer below `Error`; it returns the answer itself.
    return (answers as unknown as readonly DeleteFailure[]).flatMap(({ Code: code, Message: message, Key: name }) => {
      const error = Object.assign(new Error(`${code}: ${message}`), { code });
      return isAbsent(error) ? [] : [{ name, error }];
    });
  }

  async #send(request: Request, content: Content): Promise<IncomingMessage> {
    const answer = await this.#begin(request, content);
    await text(answer);
    return answer;
  }

  async #begin(request: Request, content: Content): Promise<IncomingMessage> {
    const headers = { ...request.headers, 'content-length': String(content.bytes) };
    const { bucket, region } = this.settings;
    const body = content.bytes === 0 ? '' : Readable.from(content.chunks, { objectMode: false });
    return this.client.makeRequestStreamAsync({ ...request, headers, bucketName: bucket }, body, '', [200], region);
  }

  /** The store may fail after it has started to answer 200. */
  async #assertCompleted(answer: IncomingMessage): Promise<void> {
    const said = await text(answer);
    if (said.includes('<CompleteMultipartUploadResult')) return;
    const code = /<Code>([A-Za-z]+)<\/Code>/.exec(said)?.[1] ?? 'InternalError';
    throw Object.assign(new Error(`the S3 store could not complete an upload: ${code}`), { code });
  }

  #checksum(content: Content): { readonly headers: Record<string, string>; readonly crc32: string | null } {
    if (!this.settings.checksums) return { headers: {}, crc32: null };
    const crc32 = crc32Of(content.chunks);
    return { headers: { 'x-amz-checksum-crc32': crc32 }, crc32 };
  }

  #repeat<T>(deadlineMs: number, signal: AbortSignal | null, call: (attempt: number) => Promise<T>): Promise<T> {
    const { attempts } = this.settings;
    return repeatCall({ attempts, deadlineMs, ...(signal === null ? {} : { signal }) }, call);
  }
}

function completion(parts: readonly StoredPart[]): string {
  const listed = parts.map(({ number, etag, crc32 }) => {
    const checksum = crc32 === null ? '' : `<ChecksumCRC32>${crc32}</ChecksumCRC32>`;
    return `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('&', '&amp;')}</ETag>${checksum}</Part>`;
  });
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${listed.join('')}</CompleteMultipartUpload>`;
}

function unlessAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}
