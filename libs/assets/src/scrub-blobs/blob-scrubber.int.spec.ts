import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ASSET_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import type { AssetId, JobId } from '@heddle/contracts-messages';
import { BlobStoreUnavailableError } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { describeOnEachStore, withFaults } from '../blob-places.fixture.js';
import type { BlobPlace } from '../blob-places.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import type { AssetsSettings } from '../settings.js';
import { BlobCollector } from '../collect-blobs/blob-collector.js';
import { EventRelay } from '../publish-events/event-relay.js';
import { BlobScrubber } from './blob-scrubber.js';

const never = new AbortController().signal;

describeOnEachStore('the scrubber', (open) => {
  let database: TestDatabase;
  let place: BlobPlace;
  let under: AssetsUnderTest;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await database.owner.query(
      'truncate assets.asset, assets.blob, assets.hold, assets.walk, assets.lease, assets.outbox, assets.delete_task',
    );
    place = await open();
    under = await start();
  });
  afterEach(async () => {
    await under.end();
  });
  afterAll(async () => {
    await database.drop();
  });

  const start = (settings: Partial<AssetsSettings> = {}, wrap?: (store: BlobStore) => BlobStore) =>
    assetsUnderTest(
      database.database,
      { scrubBytesPerSecond: 1e9, relayIntervalMs: 0, blobGraceMs: 0, ...settings },
      wrap,
      () => Promise.resolve({ ...place, end: () => Promise.resolve() }),
    );
  const pass = async (by = under): Promise<void> => {
    while ((await by.get(BlobScrubber).step(never)) === 0);
  };
  const again = async (by = under): Promise<void> => {
    await database.owner.query('truncate assets.walk');
    await pass(by);
  };
  const upload = async (bytes: Buffer | string) =>
    valueOf(await under.assets.upload(alice, sampleRequest({ bytes }))).asset;
  const keyOf = async (hash: string): Promise<BlobKey> =>
    (await under.pool.query<{ object_key: BlobKey }>('select object_key from assets.blob where hash = $1', [hash]))
      .rows[0]!.object_key;
  const damaged = async (): Promise<string[]> =>
    (await under.pool.query<{ hash: string }>('select hash from assets.blob where damaged_at is not null')).rows.map(
      (row) => row.hash,
    );
  const store = async (key: BlobKey, bytes: Buffer): Promise<void> => {
    await place.store.delete(key);
    const writer = await place.store.write(key);
    await writer.write(bytes);
    await writer.finish();
  };

  it('finds other bytes, other sizes and missing objects, and leaves sound blobs alone', async () => {
    const bodies = [randomBytes(5_000_000), randomBytes(100), randomBytes(100), randomBytes(100), Buffer.alloc(0)];
    const assets = [];
    for (const body of bodies) assets.push(await upload(body));
    await pass();
    expect(await damaged()).toEqual([]);
    const flipped = Buffer.from(bodies[0]!);
    flipped[4_999_999]! ^= 1;
    await store(await keyOf(assets[0]!.hash), flipped);
    await store(await keyOf(assets[1]!.hash), bodies[1]!.subarray(1));
    await place.store.delete(await keyOf(assets[2]!.hash));
    await again();
    expect((await damaged()).sort()).toEqual(
      assets
        .slice(0, 3)
        .map(({ hash }) => hash)
        .sort(),
    );
  });

  it('makes damaged bytes unusable: no mint, no hold, no content; the record stays', async () => {
    const asset = await upload('will rot');
    const sound = await upload('will not');
    await store(await keyOf(asset.hash), Buffer.from('is rotten'.slice(0, 8)));
    await pass();
    const mint = (hash: string) =>
      under.assets.mintFromHash(alice, { hash, filePath: 'again', tags: [], expiresIn: null });
    expect(codeOf(await mint(asset.hash))).toBe('blob_not_found');
    expect(await under.assets.canMint(alice, asset.hash)).toBe(false);
    expect(codeOf(await under.assets.content(alice, asset.id))).toBe('upstream_error');
    expect(codeOf(await under.assets.get(alice, asset.id))).toBe('accepted');
    const wanted = { ids: [asset.id as AssetId, sound.id as AssetId], names: [] };
    expect(codeOf(await under.assets.hold(alice, newUuid() as JobId, wanted))).toBe('missing_asset');
    expect(await under.assets.missing(alice, wanted.ids)).toEqual([asset.id]);
    expect(codeOf(await mint(sound.hash))).toBe('accepted');
  });

  it('lets the same bytes, sent again, replace the damaged object; the old one goes', async () => {
    const asset = await upload('phoenix');
    const before = await keyOf(asset.hash);
    await store(before, Buffer.from('ashes!!'));
    await pass();
    expect(await damaged()).toEqual([asset.hash]);
    const second = await upload('phoenix');
    const after = await keyOf(asset.hash);
    expect(after).not.toBe(before);
    for (const { id } of [asset, second]) {
      expect((await buffer(valueOf(await under.assets.bytes(alice, id)))).toString()).toBe('phoenix');
    }
    await under.get(BlobCollector).run();
    expect(await place.files()).toEqual([after]);
    await again();
    expect(await damaged()).toEqual([]);
  });

  it('withdraws its finding when the right bytes are back', async () => {
    const asset = await upload('restored');
    const key = await keyOf(asset.hash);
    await place.store.delete(key);
    await pass();
    expect(await damaged()).toEqual([asset.hash]);
    await store(key, Buffer.from('restored'));
    await again();
    expect(await damaged()).toEqual([]);
    expect(codeOf(await under.assets.content(alice, asset.id))).toBe('accepted');
  });

  it('calls nothing damaged that was only read badly, or not at all', async () => {
    const asset = await upload(randomBytes(3_000_000));
    await under.end();
    let fault: 'once' | 'away' | null = 'once';
    under = await start({}, (real) =>
      withFaults(real, {
        read: async (key, range) => {
          if (fault === 'away') throw new BlobStoreUnavailableError('away');
          const bytes = await buffer(await real.read(key, range));
          if (fault === 'once') bytes[0]! ^= 1;
          fault = null;
          return Readable.from([bytes]);
        },
      }),
    );
    await pass();
    expect(await damaged()).toEqual([]);
    fault = 'away';
    await database.owner.query('truncate assets.walk');
    await expect(under.get(BlobScrubber).step(never)).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    expect(await damaged()).toEqual([]);
    expect((await under.pool.query('select from assets.walk')).rowCount).toBe(0);
    fault = null;
    await under.end();
    await database.owner.query('truncate assets.lease');
    // The bucket is gone, or the volume is not mounted: every object is missing, and none is damaged.
    under = await start({}, (real) =>
      withFaults(real, {
        stat: () => Promise.resolve(null),
        health: () => Promise.reject(new BlobStoreUnavailableError('no bucket')),
      }),
    );
    await expect(under.get(BlobScrubber).step(never)).rejects.toThrow('no bucket');
    expect(await damaged()).toEqual([]);
    await under.end();
    await database.owner.query('truncate assets.lease');
    under = await start();
    await pass();
    expect(codeOf(await under.assets.content(alice, asset.id))).toBe('accepted');
  });

  it('calls nothing damaged that is collected or replaced while it is read', async () => {
    const asset = await upload('goes meanwhile');
    await under.end();
    under = await start({}, (real) =>
      withFaults(real, {
        stat: async (key) => {
          valueOf(await under.assets.delete(alice, asset.id).catch(() => ({ ok: true, value: null }) as never));
          await under.get(BlobCollector).run();
          return real.stat(key);
        },
      }),
    );
    await under
      .get(BlobScrubber)
      .step(never)
      .catch(() => 0);
    expect(await damaged()).toEqual([]);
    const { rows } = await under.pool.query('select from assets.outbox');
    expect(rows).toEqual([]);
  });

  it('is done by one process at a time; the next one continues where it stopped', async () => {
    for (let turn = 0; turn < 6; turn += 1) await upload(`blob ${turn}`);
    const reads: string[] = [];
    const counting = (real: BlobStore): BlobStore =>
      withFaults(real, {
        read: (key, range) => {
          reads.push(key);
          return real.read(key, range);
        },
      });
    const [one, two] = [await start({}, counting), await start({}, counting)];
    for (let turn = 0; turn < 3; turn += 1) await one.get(BlobScrubber).step(never);
    for (let turn = 0; turn < 3; turn += 1) expect(await two.get(BlobScrubber).step(never)).toBeGreaterThan(0);
    expect(reads).toHaveLength(3);
    // Killed or frozen: after the lease the other one continues, and writes of the first one change nothing.
    await database.owner.query('delete from assets.lease');
    await pass(two);
    expect(reads).toHaveLength(6);
    expect(new Set(reads).size).toBe(6);
    await one.end();
    await two.end();
  });

  it('reads no faster than it may, and stops at once', async () => {
    await upload(randomBytes(400_000));
    await upload(randomBytes(400_000));
    await under.end();
    under = await start({ scrubBytesPerSecond: 1_000_000 });
    const began = performance.now();
    await pass();
    expect(performance.now() - began).toBeGreaterThan(790);
    await under.end();
    under = await start({ scrubBytesPerSecond: 1 });
    await database.owner.query('truncate assets.walk, assets.lease');
    const stop = new AbortController();
    const scrubbing = under.get(BlobScrubber).step(stop.signal);
    stop.abort();
    await expect(scrubbing).rejects.toThrow();
  });

  it('rests between passes, and reports damage once', async () => {
    await under.end();
    const bus = new MemoryMessageBus();
    const published: string[] = [];
    await bus.subscribe(ASSET_EVENTS_TOPIC, 'test', async (batch) => {
      published.push(...batch.map((message) => message.type));
    });
    under = await assetsUnderTest(
      database.database,
      { scrubBytesPerSecond: 1e9, relayIntervalMs: 0, relayLeaseMs: 60_000, scrubPassMs: 3_600_000 },
      undefined,
      () => Promise.resolve({ ...place, end: () => Promise.resolve() }),
      { bus },
    );
    const asset = await upload('reported once');
    await place.store.delete(await keyOf(asset.hash));
    await pass();
    await pass();
    await database.owner.query(`update assets.walk set ended_at = ended_at - interval '2 hours'`);
    await pass();
    await under.get(EventRelay).step();
    expect(published.sort()).toEqual(['AssetUploaded', 'BlobDamaged']);
    await bus.close();
  });
});
