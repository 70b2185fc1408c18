import { randomBytes } from 'node:crypto';
import { describeOnS3 } from '@heddle/testing-servers';
import { expect, it } from 'vitest';
import { newBlobKey } from '../blob-store.js';
import type { BlobKey } from '../blob-store.js';
import { describeBlobStore } from '../blob-store.suite.js';
import type { SignedAnswer } from '../blob-store.suite.js';
import { S3BlobStore } from './s3-blob-store.js';
import { MIN_PART_BYTES } from './s3-options.js';

describeOnS3('on a real server', (server) => {
  describeBlobStore('in an S3 bucket', async () => {
    const { endpoint, accessKey, secretKey, region } = server();
    const store = await S3BlobStore.open({ endpoint, accessKey, secretKey, region, bucket: 'conformance' });
    const get = async (url: string): Promise<SignedAnswer> => {
      const answer = await fetch(url);
      return {
        status: answer.status,
        contentType: answer.headers.get('content-type'),
        disposition: answer.headers.get('content-disposition'),
        body: Buffer.from(await answer.arrayBuffer()),
      };
    };
    return { store, get, end: () => Promise.resolve() };
  });

  it('lists more objects than one answer has, each once', async () => {
    const { endpoint, accessKey, secretKey, region } = server();
    const store = await S3BlobStore.open({ endpoint, accessKey, secretKey, region, bucket: 'many' });
    const keys = Array.from({ length: 1_010 }, () => newBlobKey());
    const put = async (key: BlobKey): Promise<void> => (await store.write(key)).finish();
    for (let at = 0; at < keys.length; at += 50) await Promise.all(keys.slice(at, at + 50).map(put));
    const listed: BlobKey[] = [];
    for await (const { key } of store.list()) listed.push(key);
    expect(listed.toSorted()).toEqual(keys.toSorted());
  });

  it('holds two parts of an object in memory, however large it is', async () => {
    const { endpoint, accessKey, secretKey, region } = server();
    const store = await S3BlobStore.open({ endpoint, accessKey, secretKey, region, bucket: 'memory' });
    const chunk = randomBytes(65_536);
    const size = 40 * 1024 * 1024;
    let held = 0;
    let most = 0;
    const writer = await store.write(newBlobKey(), (taken) => (held -= taken.length));
    for (let at = 0; at < size; at += chunk.length) {
      held += chunk.length;
      most = Math.max(most, held);
      await writer.write(chunk);
    }
    await writer.finish();
    expect(held).toBe(0);
    expect(most).toBeLessThanOrEqual(2 * MIN_PART_BYTES + chunk.length);
  });
});
