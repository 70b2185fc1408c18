import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describeOnS3 } from '@heddle/testing-servers';
import { beforeAll, expect, it } from 'vitest';
import { BlobStoreRefusedError, BlobStoreUnavailableError } from '../blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';
import { S3Calls } from './s3-calls.js';
import { s3Client } from './s3-client.js';
import { ObjectChangedError, S3Objects } from './s3-objects.js';
import { MIN_PART_BYTES, s3Settings } from './s3-options.js';
import type { S3BlobStoreOptions } from './s3-options.js';
import { unfinishedUploads } from './unfinished-uploads.js';

describeOnS3('named objects in an S3 bucket', (server) => {
  const options = (changes: Partial<S3BlobStoreOptions> = {}): S3BlobStoreOptions => {
    const { endpoint, accessKey, secretKey, region } = server();
    return { endpoint, accessKey, secretKey, region, bucket: 'named', prefix: 'a/b/', attempts: 1, ...changes };
  };
  const read = async (objects: S3Objects, name: string): Promise<Buffer | null> => {
    const found = await objects.read(name);
    return found === null ? null : await buffer(found.body);
  };
  const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const found: T[] = [];
    for await (const item of items) found.push(item);
    return found;
  };
  const bytes = Buffer.from('one');
  let objects: S3Objects;
  beforeAll(async () => {
    await S3BlobStore.open(options());
    objects = await S3Objects.open(options());
  });

  it('are read as they were put, with their age by the clock of the store', async () => {
    expect(await objects.read('absent')).toBeNull();
    const etag = await objects.put('read/x=1 y%2f', bytes, null);
    const found = await objects.read('read/x=1 y%2f');
    expect(found).toMatchObject({ etag, sizeBytes: 3 });
    // Headers have whole seconds, and a server may keep its date for one.
    expect(Math.abs(found!.ageMs)).toBeLessThan(10_000);
    expect(await buffer(found!.body)).toEqual(bytes);
  });

  it('are replaced only by the one who knows them', async () => {
    const first = await objects.put('replaced', bytes, null);
    await expect(objects.put('replaced', Buffer.from('other'), null)).rejects.toBeInstanceOf(ObjectChangedError);
    const second = await objects.put('replaced', Buffer.from('two'), first);
    await expect(objects.put('replaced', Buffer.from('late'), first)).rejects.toBeInstanceOf(ObjectChangedError);
    await expect(objects.put('never-there', bytes, second)).rejects.toBeInstanceOf(ObjectChangedError);
    expect(await read(objects, 'replaced')).toEqual(Buffer.from('two'));
    // An answer that was lost: the same bytes are there already.
    expect(await objects.put('replaced', Buffer.from('two'), first)).toBe(second);
  });

  it('of any size are written once, in parts', async () => {
    const large = randomBytes(2 * MIN_PART_BYTES + 1);
    const chunks = (): Readable => Readable.from([large.subarray(0, 100), large.subarray(100)]);
    await objects.write('large', chunks());
    expect((await read(objects, 'large'))?.equals(large)).toBe(true);
    await expect(objects.write('large', Readable.from([bytes]))).rejects.toBeInstanceOf(ObjectChangedError);
    expect((await objects.read('large'))?.sizeBytes).toBe(large.length);
  });

  it('whose content breaks off are not there, and no upload of them is left', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield randomBytes(MIN_PART_BYTES + 1);
      await Promise.resolve();
      throw new Error('the disk is gone');
    }
    await expect(objects.write('broken', broken())).rejects.toThrow('the disk is gone');
    expect(await objects.read('broken')).toBeNull();
    const settings = s3Settings(options());
    const calls = new S3Calls(await s3Client(settings, settings.endpoint, 'HEDDLE_S3_ENDPOINT'), settings);
    const uploads = (): Promise<unknown[]> => all(unfinishedUploads(calls, 'a/b/broken'));
    expect(await uploads()).toEqual([]);
    await calls.beginUpload('a/b/broken', new AbortController().signal);
    expect(await uploads()).toHaveLength(1);
    await objects.abortUploads('broken');
    expect(await uploads()).toEqual([]);
  });

  it('are listed below a start of their names, and removed', async () => {
    for (const name of ['events/1', 'events/2', 'eventual']) await objects.put(`listed/${name}`, bytes, null);
    const names = async (): Promise<string[]> => await all(objects.list('listed/events/'));
    expect(await names()).toEqual(['listed/events/1', 'listed/events/2']);
    await objects.remove('listed/events/1');
    await objects.remove('listed/events/1');
    expect(await names()).toEqual(['listed/events/2']);
  });

  it('need a bucket that exists, a key that may read it, and a store that answers', async () => {
    const opened = (changes: Partial<S3BlobStoreOptions>): Promise<S3Objects> => S3Objects.open(options(changes));
    const absent = await opened({ bucket: 'absent' }).then(
      () => null,
      (error: unknown) => error as Error,
    );
    expect(absent).toBeInstanceOf(BlobStoreRefusedError);
    expect(absent?.message).toMatch(/has no bucket absent: create it$/);
    await expect(opened({ secretKey: 'wrong' })).rejects.toThrow(/HEDDLE_S3_SECRET_KEY/);
    await expect(opened({ endpoint: 'http://127.0.0.1:9' })).rejects.toBeInstanceOf(BlobStoreUnavailableError);
  });
});
