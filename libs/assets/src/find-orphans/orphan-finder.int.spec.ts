import { newBlobKey } from '@heddle/platform-blob-store';
import type { BlobKey, BlobWriter } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import { describeOnEachStore } from '../blob-places.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { BlobCollector } from '../collect-blobs/blob-collector.js';
import { OPEN_INTENT } from '../stage-blob/upload-intent.sql.js';
import { OrphanFinder } from './orphan-finder.js';

describeOnEachStore('objects that no row names', (open) => {
  let database: TestDatabase;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  afterAll(async () => {
    await database.drop();
  });

  it('are reported once they are old, and removed only if a setting allows it', async () => {
    const place = await open();
    const lasting = () => Promise.resolve({ ...place, end: () => Promise.resolve() });
    const unfinished: BlobWriter[] = [];
    const write = async (finish: boolean): Promise<BlobKey> => {
      const key = newBlobKey();
      const writer = await place.store.write(key);
      await writer.write(Buffer.alloc(6_000_000));
      await writer.write(Buffer.alloc(1));
      if (finish) await writer.finish();
      else unfinished.push(writer);
      return key;
    };
    const [orphan, staged, replaced] = [await write(true), await write(true), await write(true)];
    await write(false);
    // A negative age: everything is old.
    const careful = await assetsUnderTest(database.database, { orphanAgeMs: 3_600_000 }, undefined, lasting);
    const { asset } = valueOf(await careful.assets.upload(alice, sampleRequest({ bytes: 'kept' })));
    await careful.pool.query({ ...OPEN_INTENT, values: [staged, alice.accountId, 60_000] });
    await careful.pool.query('update assets.blob set former_keys = array[$1::uuid]', [replaced]);
    expect(await careful.get(OrphanFinder).look()).toEqual({ objects: 0, uploads: 0 });
    const reporting = await assetsUnderTest(database.database, { orphanAgeMs: -60_000 }, undefined, lasting);
    await expect.poll(async () => (await place.files()).length).toBe(5);
    expect(await reporting.get(OrphanFinder).look()).toEqual({ objects: 1, uploads: 1 });
    await reporting.get(BlobCollector).run();
    expect(await place.store.stat(orphan)).not.toBeNull();

    const removing = { orphanAgeMs: -60_000, removeOrphans: true };
    const cleaning = await assetsUnderTest(database.database, removing, undefined, lasting);
    expect(await cleaning.get(OrphanFinder).look()).toEqual({ objects: 1, uploads: 0 });
    await cleaning.get(BlobCollector).run();
    expect((await place.files()).includes(orphan)).toBe(false);
    expect(await place.store.stat(staged)).not.toBeNull();
    expect(codeOf(await cleaning.assets.content(alice, asset.id))).toBe('accepted');
    for (const writer of unfinished) await writer.abort();
    for (const under of [careful, reporting, cleaning]) await under.end();
    await place.end();
  });
});
