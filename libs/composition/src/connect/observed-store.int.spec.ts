import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { BlobMissingError, DirectoryBlobStore, newBlobKey, TargetSigner } from '@heddle/platform-blob-store';
import { describeBlobStore } from '@heddle/platform-blob-store/blob-store-suite';
import type { SignedAnswer } from '@heddle/platform-blob-store/blob-store-suite';
import { attachment } from '@heddle/platform-blob-store/content-disposition';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ObservedStore } from './observed-store.js';

describeBlobStore('that is observed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-observed-'));
  const signer = new TargetSigner([{ id: 'a', secret: createSecretKey(randomBytes(32)) }]);
  const observed = new ObservedStore(await DirectoryBlobStore.open(folder, signer), new MetricsRegistry());
  // The gateway's route, without HTTP.
  const get = async (url: string): Promise<SignedAnswer> => {
    const signed = signer.verify(url, new Date());
    if (signed === null || (await observed.stat(signed.key)) === null)
      return { status: 403, contentType: null, disposition: null, body: Buffer.alloc(0) };
    const body = await buffer(await observed.read(signed.key));
    return { status: 200, contentType: 'application/octet-stream', disposition: attachment(signed.fileName), body };
  };
  return { store: observed, get, end: () => rm(folder, { recursive: true }) };
});

let root: string;
let store: ObservedStore;
const metrics = new MetricsRegistry();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'heddle-observed-'));
  store = new ObservedStore(await DirectoryBlobStore.open(join(root, 'blobs')), metrics);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function counted(operation: string, outcome: string): Promise<number> {
  const labels = `operation="${operation}",outcome="${outcome}"`;
  const line = new RegExp(`^heddle_blob_store_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm');
  return Number(line.exec(await metrics.metrics())?.[1] ?? 0);
}

it('times writes to their end, reads, stats and deletions, and passes everything on', async () => {
  const key = newBlobKey();
  const writer = await store.write(key);
  await writer.write(Buffer.from('bytes'));
  expect(await counted('write', 'ok')).toBe(0);
  await writer.finish();
  expect(String(await buffer(await store.read(key, { start: 1, end: 2 })))).toBe('yt');
  expect(await store.stat(key)).toEqual({ sizeBytes: 5 });
  await store.delete(key);
  expect(await store.deleteAll([key])).toEqual(new Map());
  expect(await Promise.all(['write', 'read', 'stat', 'delete'].map((of) => counted(of, 'ok')))).toEqual([1, 1, 1, 2]);
});

it('counts what is missing as an answer, and a store that is away as failed', async () => {
  await expect(store.read(newBlobKey())).rejects.toThrow(BlobMissingError);
  expect([await counted('read', 'ok'), await counted('read', 'failed')]).toEqual([2, 0]);
  await rm(join(root, 'blobs'), { recursive: true });
  const writer = await store.write(newBlobKey());
  await writer.write(Buffer.from('bytes'));
  await expect(writer.finish()).rejects.toThrow();
  expect(await counted('write', 'failed')).toBe(1);
});
