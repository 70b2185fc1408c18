import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describeOnS3 } from '@heddle/testing-servers';
import { expect, it } from 'vitest';
import { BlobStoreRefusedError, BlobStoreUnavailableError, newBlobKey } from '../blob-store.js';
import type { BlobKey } from '../blob-store.js';
import { urlLife } from '../sign-urls/url-life.js';
import { S3BlobStore } from './s3-blob-store.js';
import { s3Client } from './s3-client.js';
import { s3Settings } from './s3-options.js';
import type { S3BlobStoreOptions } from './s3-options.js';
import { signedUrl } from './signed-url.js';

describeOnS3('access to an S3 store', (server) => {
  const options = (changes: Partial<S3BlobStoreOptions> = {}): S3BlobStoreOptions => {
    const { endpoint, accessKey, secretKey, region } = server();
    return { endpoint, accessKey, secretKey, region, bucket: 'access', attempts: 1, ...changes };
  };
  const terms = () => ({ filePath: 'a.txt', life: urlLife(new Date(), 60, null) });
  const put = async (store: S3BlobStore, bytes: Buffer): Promise<BlobKey> => {
    const key = newBlobKey();
    const writer = await store.write(key);
    await writer.write(bytes);
    await writer.finish();
    return key;
  };

  it('makes the bucket that is not there, once, however many start', async () => {
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => S3BlobStore.open(options({ bucket: 'made-by-four' }))),
    );
    const key = await put(stores[0]!, Buffer.from('shared'));
    expect(await stores[3]!.stat(key)).toEqual({ sizeBytes: 6 });
  });

  it('that is wrong is refused at the start, and the message names the setting', async () => {
    await S3BlobStore.open(options());
    const web = createServer((_, answer) =>
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
    );
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    const webEndpoint = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const refused: [Partial<S3BlobStoreOptions>, RegExp][] = [
      [{ accessKey: 'stranger' }, /HEDDLE_S3_ACCESS_KEY/],
      [{ secretKey: 'wrong' }, /HEDDLE_S3_SECRET_KEY/],
      [{ region: 'eu-west-9' }, /HEDDLE_S3_REGION/],
      [{ bucket: 'No_Bucket' }, /HEDDLE_S3_BUCKET/],
      [{ bucket: '' }, /HEDDLE_S3_BUCKET is empty/],
      [{ endpoint: 'localhost:9000' }, /HEDDLE_S3_ENDPOINT/],
      [{ endpoint: 'http://127.0.0.1:9/path' }, /HEDDLE_S3_ENDPOINT/],
      [{ publicEndpoint: 'ftp://example.com' }, /HEDDLE_S3_PUBLIC_ENDPOINT/],
      [{ endpoint: webEndpoint }, /HEDDLE_S3_ENDPOINT/],
    ];
    for (const [change, message] of refused) {
      const error = await S3BlobStore.open(options(change)).then(
        () => null,
        (thrown: unknown) => thrown as Error,
      );
      expect(error?.message).toMatch(message);
      expect(error?.message).not.toContain(server().secretKey);
    }
    web.close();
    await expect(S3BlobStore.open(options({ secretKey: 'wrong' }))).rejects.toBeInstanceOf(BlobStoreRefusedError);
    await expect(S3BlobStore.open(options({ endpoint: 'http://127.0.0.1:9' }))).rejects.toBeInstanceOf(
      BlobStoreUnavailableError,
    );
  });

  it('by a signed URL is at the public endpoint, whole or a range', async () => {
    const publicEndpoint = server().endpoint.replace('127.0.0.1', 'localhost');
    const store = await S3BlobStore.open(options({ publicEndpoint }));
    const bytes = randomBytes(5_000);
    const key = await put(store, bytes);
    const url = await store.signedUrl(key, terms());
    expect(url.startsWith(`${publicEndpoint}/access/b/${key}?`)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=10-19', authorization: 'Bearer of-somebody' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
  });

  it('with the bucket as a label of the host name is signed for that name', async () => {
    const store = await S3BlobStore.open(options());
    const key = await put(store, Buffer.from('by host name'));
    const { port } = new URL(server().endpoint);
    const settings = s3Settings(options({ addressing: 'host' }));
    const client = await s3Client(settings, `http://s3.test:${port}`, 'HEDDLE_S3_PUBLIC_ENDPOINT');
    const url = new URL(await signedUrl(client, settings, `b/${key}`, terms()));
    expect([url.host, url.pathname]).toEqual([`access.s3.test:${port}`, `/b/${key}`]);
    const ask = (host: string): Promise<[number | undefined, string]> =>
      new Promise((done, fail) => {
        const path = url.pathname + url.search;
        request({ hostname: '127.0.0.1', port, path, headers: { host } }, (answer) => {
          text(answer).then((body) => done([answer.statusCode, body]), fail);
        })
          .once('error', fail)
          .end();
      });
    expect(await ask(url.host)).toEqual([200, 'by host name']);
    expect((await ask(`other.s3.test:${port}`))[0]).toBe(403);
  });
});
