import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describeOnS3 } from '@heddle/testing-servers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BlobExistsError, BlobMissingError, BlobStoreUnavailableError, newBlobKey } from '../blob-store.js';
import type { BlobKey } from '../blob-store.js';
import { FaultyS3 } from './faulty-s3.fake.js';
import type { Call, Fault } from './faulty-s3.fake.js';
import { S3BlobStore } from './s3-blob-store.js';
import type { S3BlobStoreOptions } from './s3-options.js';

const MULTIPART = 11_000_000;

describeOnS3('an S3 store behind a bad network', (server) => {
  let proxy: FaultyS3;
  let store: S3BlobStore;
  let direct: S3BlobStore;

  const optionsAt = (endpoint: string): S3BlobStoreOptions => {
    const { accessKey, secretKey, region } = server();
    return { endpoint, accessKey, secretKey, region, bucket: 'faults' };
  };
  const open = (changes: Partial<S3BlobStoreOptions> = {}): Promise<S3BlobStore> =>
    S3BlobStore.open({ ...optionsAt(proxy.endpoint), ...changes });
  beforeEach(async () => {
    proxy = await FaultyS3.start(server().endpoint);
    direct = await S3BlobStore.open(optionsAt(server().endpoint));
    store = await open();
    proxy.calls.length = 0;
  });
  afterEach(async () => {
    await proxy.close();
  });

  const put = async (into: S3BlobStore, bytes: Buffer, key = newBlobKey()): Promise<BlobKey> => {
    const writer = await into.write(key);
    try {
      for (let at = 0; at < bytes.length; at += 65_536) await writer.write(bytes.subarray(at, at + 65_536));
      await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
    return key;
  };
  const read = async (key: BlobKey): Promise<Buffer> => buffer(await direct.read(key));
  const nothingIsLeft = async (key: BlobKey): Promise<void> => {
    expect(await direct.stat(key)).toBeNull();
    expect(await direct.abortOrphans(-60_000)).toBe(0);
  };
  const kinds = { part: 'partNumber=', complete: '?uploadId=', begin: '?uploads' } as const;
  const is = (call: Call, kind: keyof typeof kinds | 'small'): boolean =>
    kind === 'small' ? call.method === 'PUT' && !call.url.includes('?') : call.url.includes(kinds[kind]);
  /** The first part implies that the upload was created. */
  const firstPartIsSent = async (): Promise<void> =>
    await expect.poll(() => proxy.calls.some((call) => is(call, 'part'))).toBe(true);

  it.each(['begin', 'part', 'complete', 'small'] as const)(
    'stores the right bytes although every first %s call is refused, reset, or its answer lost',
    async (kind) => {
      const bytes = randomBytes(kind === 'small' ? 100_000 : MULTIPART);
      for (const fault of ['busy', 'reset', 'answer lost'] as const) {
        proxy.plan = (call) => (is(call, kind) && call.earlier === 0 ? { kind: fault } : null);
        expect((await read(await put(store, bytes))).equals(bytes)).toBe(true);
      }
      // If the answer to the creation was lost, nobody knows the upload: the sweep of orphans removes it.
      expect(await direct.abortOrphans(-60_000)).toBe(kind === 'begin' ? 1 : 0);
    },
  );

  it.each(['begin', 'part', 'complete', 'small'] as const)(
    'gives up after three %s calls that fail, says that the store is unreachable, and leaves nothing',
    async (kind) => {
      const bytes = randomBytes(kind === 'small' ? 1_000 : MULTIPART);
      const key = newBlobKey();
      proxy.plan = (call) => (call.method !== 'DELETE' && is(call, kind) ? { kind: 'busy' } : null);
      await expect(put(store, bytes, key)).rejects.toBeInstanceOf(BlobStoreUnavailableError);
      const failed = proxy.calls.filter((call) => call.method !== 'DELETE' && is(call, kind));
      expect(failed).toHaveLength(3);
      await nothingIsLeft(key);
    },
  );

  it('makes its bucket although the store is busy with the same call of another one', async () => {
    proxy.plan = (call) => (call.method === 'PUT' && call.earlier < 2 ? { kind: 'busy' } : null);
    const made = await open({ bucket: 'made-late' });
    expect(proxy.calls.filter(({ method }) => method === 'PUT')).toHaveLength(3);
    await made.health();
    proxy.plan = (call) => (call.method === 'PUT' ? { kind: 'busy' } : null);
    await expect(open({ bucket: 'never-made' })).rejects.toBeInstanceOf(BlobStoreUnavailableError);
  });

  it('does not believe a store that keeps fewer bytes than it was sent', async () => {
    const shorten = (kind: 'part' | 'small'): ((call: Call) => Fault | null) => {
      return (call) => (is(call, kind) ? { kind: 'shortened', bytes: 10 } : null);
    };
    // The checksum protects a small object and each part; without a checksum, the final size check does.
    for (const [kind, bytes, says] of [
      ['small', 20, /Content-MD5/],
      ['part', MULTIPART, /CRC32/],
    ] as const) {
      const key = newBlobKey();
      proxy.plan = shorten(kind);
      await expect(put(store, randomBytes(bytes), key)).rejects.toThrow(says);
      await nothingIsLeft(key);
    }
    const trusting = await open({ checksums: false });
    proxy.plan = (call) => (call.url.includes('partNumber=3') ? { kind: 'shortened', bytes: 10 } : null);
    const key = newBlobKey();
    await expect(put(trusting, randomBytes(MULTIPART), key)).rejects.toThrow(/of 11000000 bytes/);
    await nothingIsLeft(key);
  });

  it('ends a call that is never answered at its deadline', async () => {
    const deadlines = { callMs: 100, transferMs: 100, healthMs: 50 };
    // Its first health check has the same deadline, which a busy machine may miss.
    const impatient = await vi.waitFor(() => open({ deadlines, attempts: 1 }), { timeout: 30_000 });
    proxy.plan = () => ({ kind: 'silent' });
    await expect(impatient.stat(newBlobKey())).rejects.toThrow('did not answer within 100 ms');
    await expect(impatient.health()).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    proxy.plan = (call) => (is(call, 'small') ? { kind: 'silent' } : null);
    await expect(put(impatient, randomBytes(10))).rejects.toBeInstanceOf(BlobStoreUnavailableError);
  });

  it('fails a read whose object breaks off or falls silent, and waits for a slow reader', async () => {
    const bytes = randomBytes(400_000);
    const key = await put(direct, bytes);
    const broken = async (reader: S3BlobStore, kind: 'cut' | 'stalled'): Promise<unknown> => {
      proxy.plan = (call) => (call.method === 'GET' ? { kind, bytes: 100_000 } : null);
      return await reader.read(key).then(buffer);
    };
    await expect(broken(store, 'cut')).rejects.toThrow(/aborted/);
    await expect(broken(await open({ deadlines: { silenceMs: 100 } }), 'stalled')).rejects.toThrow(/fell silent/);
    proxy.plan = () => null;
    // Longer than a busy machine may delay the store within an answer.
    const patient = await open({ deadlines: { silenceMs: 2_000 } });
    const slowly = await patient.read(key);
    // Proves an absence: a reader that pauses for more than two time-outs is not cut.
    await delay(4_500);
    expect((await buffer(slowly)).equals(bytes)).toBe(true);
  });

  it('aborts in the middle of a part, and leaves neither parts nor an object', async () => {
    const key = newBlobKey();
    const writer = await store.write(key);
    let held = false;
    proxy.plan = (call) => {
      held ||= call.url.includes('partNumber=2');
      return call.url.includes('partNumber=2') ? { kind: 'silent' } : null;
    };
    for (let turn = 0; turn < 11; turn += 1) void writer.write(randomBytes(1_000_000))?.catch(() => undefined);
    await expect.poll(() => held, { timeout: 10_000 }).toBe(true);
    await writer.abort();
    expect(() => writer.write(Buffer.alloc(1))).toThrow('aborted');
    await expect(writer.finish()).rejects.toThrow('aborted');
    await nothingIsLeft(key);
  });

  it('goes on where the server is killed in the middle of an upload and comes back', async () => {
    const patient = await open({ attempts: 20 });
    const bytes = randomBytes(MULTIPART);
    const key = newBlobKey();
    const writer = await patient.write(key);
    await writer.write(bytes.subarray(0, 6_000_000));
    await firstPartIsSent();
    await server().kill();
    await expect(direct.health()).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    const rest = writer.write(bytes.subarray(6_000_000));
    await server().start();
    await rest;
    await writer.finish();
    expect((await read(key)).equals(bytes)).toBe(true);
    await direct.health();
  });

  it('fails where the server stays away, and clears up through the key once it is back', async () => {
    const key = newBlobKey();
    const writer = await store.write(key);
    await writer.write(randomBytes(6_000_000));
    await firstPartIsSent();
    await server().kill();
    await expect(writer.finish()).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    await writer.abort();
    await expect(store.read(key)).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    await server().start();
    await store.delete(key);
    await nothingIsLeft(key);
  });

  it('leaves a name to the writer that finished first, and its object alone', async () => {
    for (const size of [1_000, 6_000_000]) {
      const key = newBlobKey();
      const [first, second] = [await direct.write(key), await direct.write(key)];
      const bytes = randomBytes(size);
      await first.write(bytes);
      await second.write(randomBytes(size));
      await first.finish();
      await expect(second.finish()).rejects.toBeInstanceOf(BlobExistsError);
      await second.abort();
      expect((await read(key)).equals(bytes)).toBe(true);
      expect(await direct.abortOrphans(-60_000)).toBe(0);
    }
  });

  it('ends uploads that were begun long ago, and those alone', async () => {
    const key = newBlobKey();
    const writer = await store.write(key);
    await writer.write(randomBytes(6_000_000));
    await firstPartIsSent();
    expect(await direct.abortOrphans(3_600_000)).toBe(0);
    expect(await direct.abortOrphans(-60_000)).toBe(1);
    await expect(writer.finish()).rejects.toThrow();
    await writer.abort();
    await expect(direct.read(key)).rejects.toBeInstanceOf(BlobMissingError);
  });
});
