import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { newBlobKey } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { describeOnEachStore, withFaults } from '../blob-places.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { MINT_REFERENCE } from '../mint-from-hash/mint-from-hash.sql.js';
import { OPEN_INTENT, SETTLE_BLOB } from '../stage-blob/upload-intent.sql.js';
import { BlobCollector } from './blob-collector.js';
import { CONDEMN, LOCK_CANDIDATES } from './collect-blobs.sql.js';

describeOnEachStore('the collection of blobs', (open) => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  let collector: BlobCollector;
  const alice = somebody();
  const bob = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await under?.end();
    await database.owner.query(
      'truncate assets.asset, assets.blob, assets.hold, assets.upload, assets.collect_candidate, assets.delete_task',
    );
    under = await assetsUnderTest(database.database, { blobGraceMs: 0 }, undefined, open);
    collector = under.get(BlobCollector);
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  const upload = async (who: typeof alice, bytes: Buffer | string) =>
    valueOf(await under.assets.upload(who, sampleRequest({ bytes }))).asset;
  const keys = async (): Promise<string[]> =>
    (await under.pool.query<{ key: string }>('select object_key as key from assets.blob')).rows.map((row) => row.key);

  it('leaves one blob and one object of equal uploads, thirty-two at a time (I17)', async () => {
    const bytes = randomBytes(150_000);
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => under.assets.upload(alice, sampleRequest({ bytes }))),
    );
    const minted = answers.map(valueOf);
    expect(minted.filter((each) => each.created)).toHaveLength(1);
    expect(new Set(minted.map((each) => each.asset.id)).size).toBe(32);
    expect(await under.files()).toHaveLength(32);
    expect(await collector.run()).toEqual({ condemned: 0, unlinked: 0, deleted: 31 });
    expect(await under.files()).toEqual(await keys());
    for (const each of minted) {
      expect((await buffer(valueOf(await under.assets.bytes(alice, each.asset.id)))).equals(bytes)).toBe(true);
    }
  });

  it('frees bytes after their last record, never before (I15)', async () => {
    const [one, two, other] = [
      await upload(alice, 'shared'),
      await upload(bob, 'shared'),
      await upload(alice, 'other'),
    ];
    valueOf(await under.assets.delete(alice, one.id));
    await collector.run();
    expect(codeOf(await under.assets.content(bob, two.id))).toBe('accepted');
    valueOf(await under.assets.delete(bob, two.id));
    expect(await collector.run()).toEqual({ condemned: 1, unlinked: 1, deleted: 1 });
    expect(await under.files()).toEqual(await keys());
    expect(codeOf(await under.assets.content(alice, other.id))).toBe('accepted');
  });

  it('waits the grace time; a record minted in between revives the blob with its key', async () => {
    await under.end();
    under = await assetsUnderTest(database.database, { blobGraceMs: 60_000 }, undefined, open);
    collector = under.get(BlobCollector);
    const first = await upload(alice, 'revived');
    const [key] = await keys();
    valueOf(await under.assets.delete(alice, first.id));
    expect(await collector.run()).toEqual({ condemned: 1, unlinked: 0, deleted: 0 });
    expect(await under.assets.canMint(alice, first.hash)).toBe(false);
    const again = await upload(alice, 'revived');
    await database.advanceClock(60_001);
    expect(await collector.run()).toEqual({ condemned: 0, unlinked: 0, deleted: 1 });
    expect(await keys()).toEqual([key]);
    valueOf(await under.assets.delete(alice, again.id));
    await collector.run();
    await database.advanceClock(60_001);
    expect(await collector.run()).toEqual({ condemned: 0, unlinked: 1, deleted: 1 });
    expect(await under.files()).toEqual([]);
  });

  it('passes by a blob that a minter is at work on, and later sees its record (I16)', async () => {
    const asset = await upload(alice, 'contested');
    await under.pool.query(`delete from assets.asset where id = $1`, [asset.id]);
    await under.pool.query(`insert into assets.collect_candidate (hash) values ($1)`, [asset.hash]);
    const minter = await under.pool.connect();
    try {
      await minter.query('begin');
      const staged = newBlobKey();
      await minter.query({ ...OPEN_INTENT, values: [staged, alice.accountId, 60_000] });
      await minter.query({ ...SETTLE_BLOB, values: [staged, asset.hash, asset.sizeBytes] });
      await minter.query({
        ...MINT_REFERENCE.quiet,
        values: [newBlobKey(), alice.accountId, alice.deploymentId, asset.hash, 9, 'a/b', 'p', [], [], null],
      });
      expect(await collector.run()).toEqual({ condemned: 0, unlinked: 0, deleted: 0 });
      await minter.query('commit');
    } finally {
      minter.release();
    }
    expect(await collector.run()).toEqual({ condemned: 0, unlinked: 0, deleted: 0 });
    const { rows } = await under.pool.query('select from assets.collect_candidate');
    expect(rows).toEqual([]);
    expect(await under.assets.canMint(alice, asset.hash)).toBe(true);
  });

  it('makes a minter wait that comes while it decides; the record is then minted over a revived blob', async () => {
    const asset = await upload(alice, 'decided upon');
    await under.pool.query(`delete from assets.asset where id = $1`, [asset.id]);
    const collecting = await under.pool.connect();
    try {
      await collecting.query('begin');
      await collecting.query({ ...LOCK_CANDIDATES, values: [[asset.hash]] });
      expect((await collecting.query({ ...CONDEMN, values: [[asset.hash]] })).rowCount).toBe(1);
      const uploading = upload(bob, 'decided upon');
      await waitForLock();
      await collecting.query('commit');
      const minted = await uploading;
      expect(await collector.run()).toMatchObject({ condemned: 0, unlinked: 0 });
      expect((await buffer(valueOf(await under.assets.bytes(bob, minted.id)))).toString()).toBe('decided upon');
    } finally {
      collecting.release();
    }
  });

  it('would condemn that record’s blob if one statement locked and checked', async () => {
    const asset = await upload(alice, 'contested again');
    await under.pool.query(`delete from assets.asset where id = $1`, [asset.id]);
    const minter = await under.pool.connect();
    try {
      await minter.query('begin');
      await minter.query('select from assets.blob where hash = $1 for share', [asset.hash]);
      await minter.query({
        ...MINT_REFERENCE.quiet,
        values: [newBlobKey(), alice.accountId, alice.deploymentId, asset.hash, 9, 'a/b', 'p', [], [], null],
      });
      const single = under.pool.query({ ...CONDEMN, values: [[asset.hash]] });
      await waitForLock();
      await minter.query('commit');
      expect((await single).rowCount).toBe(1);
    } finally {
      minter.release();
    }
  });

  it('never makes a 201 unreadable: upload, mint, delete and collection without grace, all at once', async () => {
    const bodies = [randomBytes(2_000), randomBytes(70_000), randomBytes(10)];
    let stop = false;
    const collecting = (async () => {
      while (!stop) await collector.run();
    })();
    const client = async (who: typeof alice, turn: number): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        const bytes = bodies[(turn + round) % bodies.length]!;
        const first = await upload(who, bytes);
        const second = valueOf(
          await under.assets.mintFromHash(who, { hash: first.hash, filePath: `m${turn}`, tags: [], expiresIn: null }),
        );
        valueOf(await under.assets.delete(who, first.id));
        expect((await buffer(valueOf(await under.assets.bytes(who, second.asset.id)))).equals(bytes)).toBe(true);
        valueOf(await under.assets.delete(who, second.asset.id));
      }
    };
    await Promise.all([client(alice, 0), client(bob, 1), client(somebody(), 2), client(somebody(), 3)]);
    stop = true;
    await collecting;
    await collector.run();
    await collector.run();
    expect(await under.files()).toEqual([]);
    expect(await keys()).toEqual([]);
  });

  it('tries objects again that could not be deleted', async () => {
    await under.end();
    let broken = true;
    const stubborn = (store: BlobStore): BlobStore =>
      withFaults(store, {
        deleteAll: (keys) =>
          broken ? Promise.resolve(new Map(keys.map((key) => [key, new Error('EIO')]))) : store.deleteAll(keys),
      });
    under = await assetsUnderTest(database.database, { blobGraceMs: 0 }, stubborn, open);
    collector = under.get(BlobCollector);
    const asset = await upload(alice, 'stubborn');
    valueOf(await under.assets.delete(alice, asset.id));
    expect(await collector.run()).toEqual({ condemned: 1, unlinked: 1, deleted: 0 });
    broken = false;
    expect(await collector.run()).toEqual({ condemned: 0, unlinked: 0, deleted: 1 });
    expect(await under.files()).toEqual([]);
  });

  it('gives bytes that come back a new key', async () => {
    const first = await upload(alice, 'phoenix');
    const [key] = await keys();
    valueOf(await under.assets.delete(alice, first.id));
    await collector.run();
    const again = await upload(alice, 'phoenix');
    expect(again.hash).toBe(hashOf('phoenix'));
    expect(await keys()).not.toEqual([key]);
  });

  async function waitForLock(): Promise<void> {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
      const { rows } = await database.owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows.length > 0) return;
    }
    throw new Error('nobody came to wait for the lock');
  }
});
