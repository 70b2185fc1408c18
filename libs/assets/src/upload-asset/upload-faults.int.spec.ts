import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import type { Answer, MintedAsset } from '@heddle/contracts-messages';
import type { BlobStore } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { describeOnEachStore, withFaults } from '../blob-places.fixture.js';
import { multipartBody, requestOf, sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import type { AssetsSettings } from '../settings.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { UploadSweeper } from '../sweep-uploads/upload-sweeper.js';
import { BlobCollector } from '../collect-blobs/blob-collector.js';

describeOnEachStore('an upload that meets a fault', (open) => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  afterEach(async () => {
    await under.end();
  });
  afterAll(async () => {
    await database.drop();
  });

  const start = async (
    settings: Partial<AssetsSettings> = {},
    wrap?: (store: BlobStore) => BlobStore,
  ): Promise<void> => {
    under = await assetsUnderTest(database.database, settings, wrap, open);
  };
  const nothingIsLeft = async (): Promise<void> => {
    expect(await under.files()).toEqual([]);
    const { rows } = await under.pool.query('select from assets.upload union all select from assets.delete_task');
    expect(rows).toEqual([]);
  };
  const failing =
    (fault: 'write' | 'finish' | 'open') =>
    (store: BlobStore): BlobStore =>
      withFaults(store, {
        write: async (key, onTaken) => {
          if (fault === 'open') throw new Error('EIO');
          const writer = await store.write(key, onTaken);
          const noSpace = (): Promise<never> => Promise.reject(new Error('ENOSPC: no space left on device'));
          return {
            write: fault === 'write' ? noSpace : (chunk) => writer.write(chunk),
            finish: fault === 'finish' ? noSpace : () => writer.finish(),
            abort: () => writer.abort(),
          };
        },
      });

  it.each(['write', 'finish', 'open'] as const)(
    'of the disk (%s) answers upstream_error and leaves nothing (I36)',
    async (fault) => {
      await start({}, failing(fault));
      const upload = sampleRequest({ bytes: randomBytes(400_000), idempotencyKey: 'faulty' });
      expect(codeOf(await under.assets.upload(alice, upload))).toBe('upstream_error');
      await nothingIsLeft();
      const { rows } = await under.pool.query(`select from assets.idempotency_key where key = 'faulty'`);
      expect(rows).toEqual([]);
    },
  );

  it('over its size is refused at one byte more and at ten times the limit, and stored at the limit (UP20)', async () => {
    await start({ uploadBytes: 50_000, uploadOverheadBytes: 5_000 });
    for (const size of [50_001, 500_000]) {
      const answer = await under.assets.upload(
        alice,
        sampleRequest({ bytes: randomBytes(size), idempotencyKey: 'big' }),
      );
      expect(codeOf(answer)).toBe('payload_too_large');
    }
    const padding = Array.from({ length: 3 }, (_, at) => [`unknown${at}`, 'x'.repeat(4_000)] as const);
    const padded = multipartBody([
      ...padding,
      ['content_type', 'a/b'],
      ['file_path', 'p'],
      ['file', randomBytes(50_000)],
    ]);
    expect(codeOf(await under.assets.upload(alice, requestOf(padded)))).toBe('payload_too_large');
    await nothingIsLeft();
    const fits = sampleRequest({ bytes: randomBytes(50_000), idempotencyKey: 'big' });
    expect(codeOf(await under.assets.upload(alice, fits))).toBe('accepted');
  });

  it('does not read a body on after it is refused', async () => {
    await start({ uploadBytes: 1_000, uploadOverheadBytes: 1_000 });
    const body = new PassThrough();
    const whole = multipartBody([
      ['content_type', 'a/b'],
      ['file_path', 'p'],
      ['file', randomBytes(100_000)],
    ]);
    body.write(whole.subarray(0, 10_000));
    expect(codeOf(await under.assets.upload(alice, requestOf(body)))).toBe('payload_too_large');
    expect(body.isPaused()).toBe(true);
    expect(body.destroyed).toBe(false);
    body.destroy(new Error('closed by the gateway'));
  });

  it('slower than its floor, or longer than its time, answers request_timeout', async () => {
    await start({ slowBodyWindowMs: 50, slowBodyBytesPerSecond: 100_000 });
    const trickle = new PassThrough();
    trickle.write(
      multipartBody([
        ['content_type', 'a/b'],
        ['file', 'never ends'],
      ]).subarray(0, 150),
    );
    expect(codeOf(await under.assets.upload(alice, requestOf(trickle)))).toBe('request_timeout');
    await nothingIsLeft();
    await under.end();
    await start({ uploadTimeoutMs: 30 });
    expect(codeOf(await under.assets.upload(alice, requestOf(new PassThrough())))).toBe('request_timeout');
  });

  it('whose lease is over belongs to the sweeper, and claims nothing', async () => {
    await start();
    const body = new PassThrough();
    const whole = multipartBody([
      ['content_type', 'a/b'],
      ['file_path', 'p'],
      ['file', randomBytes(100_000)],
    ]);
    const uploading = under.assets.upload(alice, requestOf(body, 'leased'));
    body.write(whole.subarray(0, 60_000));
    const intents = async (): Promise<number> => (await under.pool.query('select from assets.upload')).rowCount ?? 0;
    await expect.poll(intents).toBe(1);
    expect(await under.get(UploadSweeper).run(0)).toBe(1);
    body.end(whole.subarray(60_000));
    expect(codeOf(await uploading)).toBe('upstream_error');
    await under.get(BlobCollector).run();
    await nothingIsLeft();
    expect(codeOf(await under.assets.upload(alice, sampleRequest({ bytes: 'x', idempotencyKey: 'leased' })))).toBe(
      'accepted',
    );
  });

  it('over real HTTP keeps every byte, although chunks give up their memory early', async () => {
    await start();
    const server: Server = createServer((incoming, response) => {
      const upload = { contentType: incoming.headers['content-type'], idempotencyKey: null, body: incoming };
      void under.assets.upload(alice, upload).then((answer) => response.end(JSON.stringify(answer)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const send = (bytes: Buffer): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const { contentType } = sampleRequest({ bytes: '' });
        const headers = { 'content-type': contentType };
        const outgoing = httpRequest({ port, method: 'POST', headers }, (response) => resolve(json(response)));
        outgoing.once('error', reject).end(
          multipartBody([
            ['content_type', 'a/b'],
            ['file', bytes],
            ['file_path', 'p'],
          ]),
        );
      });
    try {
      await Promise.all(
        [0, 1, 65_536, 5_000_000, 12_345_678].map(async (size) => {
          const bytes = randomBytes(size);
          const { asset } = valueOf((await send(bytes)) as Answer<MintedAsset>);
          expect(asset).toMatchObject({ hash: hashOf(bytes), sizeBytes: size });
          expect((await buffer(valueOf(await under.assets.bytes(alice, asset.id)))).equals(bytes)).toBe(true);
        }),
      );
    } finally {
      server.close();
    }
  });
});
