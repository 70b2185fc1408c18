import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobStoreUnavailableError } from '@heddle/platform-blob-store';
import { describeOnS3 } from '@heddle/testing-servers';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { openBucketOf } from '../blob-places.fixture.js';
import { multipartBody, requestOf, sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { MaintenanceRound } from '../maintenance/maintenance-round.js';
import { UploadSweeper } from '../sweep-uploads/upload-sweeper.js';

describeOnS3('while the S3 store is away', (server) => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database, { blobGraceMs: 0 }, undefined, () => openBucketOf(server()));
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  it('uploads and content answer upstream_error, records are still shown, and nothing is left once it is back', async () => {
    const bytes = randomBytes(200_000);
    const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes })));
    const whole = multipartBody([
      ['content_type', 'a/b'],
      ['file_path', 'p'],
      ['file', randomBytes(9_000_000)],
    ]);
    const body = new PassThrough();
    const uploading = under.assets.upload(alice, requestOf(body, 'away'));
    body.write(whole.subarray(0, 6_000_000));
    await expect.poll(async () => (await under.files()).length, { timeout: 10_000 }).toBe(2);
    await server().kill();
    body.end(whole.subarray(6_000_000));
    expect(codeOf(await uploading)).toBe('upstream_error');
    expect(codeOf(await under.assets.upload(alice, sampleRequest({ bytes: 'another' })))).toBe('upstream_error');
    expect(codeOf(await under.assets.get(alice, asset.id))).toBe('accepted');
    await expect(under.assets.bytes(alice, asset.id)).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    await expect(under.store.health()).rejects.toBeInstanceOf(BlobStoreUnavailableError);

    await server().start();
    await under.store.health();
    expect((await buffer(valueOf(await under.assets.bytes(alice, asset.id)))).equals(bytes)).toBe(true);
    await under.get(UploadSweeper).run(0);
    await under.get(MaintenanceRound).run();
    expect(await under.files()).toHaveLength(1);
    expect((await under.pool.query('select from assets.upload')).rowCount).toBe(0);
    // An upload that was not stored claimed nothing.
    const again = sampleRequest({ bytes: 'again', idempotencyKey: 'away' });
    expect(codeOf(await under.assets.upload(alice, again))).toBe('accepted');
  });
});
