import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from '@heddle/platform-blob-store';
import { BlobStoreUnavailableError } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { assetsUnderTest, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { describeOnEachStore, withFaults } from '../blob-places.fixture.js';
import type { BlobPlace } from '../blob-places.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import type { AssetsSettings } from '../settings.js';
import { MaintenanceRound } from '../maintenance/maintenance-round.js';
import { BlobScrubber } from '../scrub-blobs/blob-scrubber.js';
import { OPEN_INTENT } from '../stage-blob/upload-intent.sql.js';
import { UploadSweeper } from '../sweep-uploads/upload-sweeper.js';
import { ObjectRemover } from './object-remover.js';

describeOnEachStore('several processes of the service', (open) => {
  let database: TestDatabase;
  let place: BlobPlace;

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await database.owner.query(
      'truncate assets.asset, assets.blob, assets.hold, assets.upload, assets.collect_candidate, assets.delete_task',
    );
    place = await open();
  });
  afterAll(async () => {
    await database.drop();
  });

  const start = (settings: Partial<AssetsSettings> = {}, wrap?: (store: BlobStore) => BlobStore) =>
    assetsUnderTest(database.database, { blobGraceMs: 0, ...settings }, wrap, () =>
      Promise.resolve({ ...place, end: () => Promise.resolve() }),
    );
  const endAll = (services: readonly AssetsUnderTest[]) => Promise.all(services.map((under) => under.end()));

  it('keep every acknowledged upload readable and leave nothing, while all sweep, collect and scrub at once', async () => {
    console.log(`seed ${seed}`);
    const random = new Random(seed);
    const services = await Promise.all(
      [0, 1, 2].map(() => start({ scrubBytesPerSecond: 1e9, scrubPassMs: 0, loneLeaseMs: 50 })),
    );
    const bodies = [Buffer.from('a'), randomBytes(3_000), randomBytes(90_000)];
    const stop = new AbortController();
    const upkeep = services.map(async (under) => {
      while (!stop.signal.aborted) {
        await under.get(MaintenanceRound).run();
        await under
          .get(BlobScrubber)
          .step(stop.signal)
          .catch(() => 0);
      }
    });
    const client = async (): Promise<void> => {
      const who = somebody();
      for (let round = 0; round < 15; round += 1) {
        const [here, there] = [services[random.below(3)]!, services[random.below(3)]!];
        const bytes = bodies[random.below(bodies.length)]!;
        const { asset } = valueOf(await here.assets.upload(who, sampleRequest({ bytes })));
        expect((await buffer(valueOf(await there.assets.bytes(who, asset.id)))).equals(bytes)).toBe(true);
        valueOf(await there.assets.delete(who, asset.id));
      }
    };
    await Promise.all([client(), client(), client(), client()]);
    stop.abort();
    await Promise.all(upkeep);
    const { rows } = await database.owner.query('select from assets.blob where damaged_at is not null');
    expect(rows).toEqual([]);
    for (let turn = 0; turn < 2; turn += 1) await services[0]!.get(MaintenanceRound).run();
    expect(await place.files()).toEqual([]);
    await endAll(services);
  });

  it('delete each object in one of them', async () => {
    const deletions: string[] = [];
    const counting = (store: BlobStore): BlobStore =>
      withFaults(store, {
        deleteAll: (keys) => {
          deletions.push(...keys);
          return store.deleteAll(keys);
        },
      });
    const services = await Promise.all([0, 1, 2].map(() => start({ sweepBatch: 10 }, counting)));
    await database.owner.query(
      `insert into assets.delete_task (object_key, created_at) select gen_random_uuid(), now() from generate_series(1, 200)`,
    );
    const gone = await Promise.all(services.map((under) => under.get(ObjectRemover).run()));
    expect(gone.reduce((sum, each) => sum + each)).toBe(200);
    expect(deletions).toHaveLength(200);
    expect(new Set(deletions).size).toBe(200);
    await endAll(services);
  });

  it('do not ask a store that is away for every object', async () => {
    let asked = 0;
    const away = (store: BlobStore): BlobStore =>
      withFaults(store, {
        deleteAll: () => {
          asked += 1;
          return Promise.reject(new BlobStoreUnavailableError('away'));
        },
      });
    const under = await start({}, away);
    await database.owner.query(
      `insert into assets.delete_task (object_key, created_at) select gen_random_uuid(), now() from generate_series(1, 100)`,
    );
    expect(await under.get(ObjectRemover).run()).toBe(0);
    expect(asked).toBe(1);
    await under.end();
    const back = await start();
    expect(await back.get(ObjectRemover).run()).toBe(100);
    await back.end();
  });

  it('delete a second time what a writer stores after it has lost its lease', async () => {
    const under = await start({ uploadLeaseMs: 60_000 });
    const writer = somebody();
    const key = crypto.randomUUID() as Parameters<BlobStore['write']>[0];
    await under.pool.query({ ...OPEN_INTENT, values: [key, writer.accountId, 60_000] });
    await database.advanceClock(60_001);
    expect(await under.get(UploadSweeper).run()).toBe(1);
    expect(await under.get(ObjectRemover).run()).toBe(1);
    // Frozen until now, and killed right after.
    const late = await place.store.write(key);
    await late.write(Buffer.from('too late'));
    await late.finish();
    expect(await under.get(ObjectRemover).run()).toBe(0);
    await database.advanceClock(60_001);
    expect(await under.get(ObjectRemover).run()).toBe(1);
    expect(await place.files()).toEqual([]);
    expect((await under.pool.query('select from assets.delete_task')).rowCount).toBe(0);
    await database.advanceClock(-120_002);
    await under.end();
  });
});
