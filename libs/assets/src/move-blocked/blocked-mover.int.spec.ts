import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { MANAGED_DEPLOYMENT_ID } from '@heddle/contracts-messages';
import type { BlobStore } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { describeOnEachStore, FOLDER_SIGNER, withFaults } from '../blob-places.fixture.js';
import { BlobCollector } from '../collect-blobs/blob-collector.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { BlockedMover } from './blocked-mover.js';

describeOnEachStore('the signed URLs of blocked bytes', (open, kind) => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  let isBroken = false;
  const alice = { ...somebody(), deploymentId: MANAGED_DEPLOYMENT_ID };

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await under?.end();
    await database.owner.query(
      'truncate assets.asset, assets.blob, assets.hold, assets.upload, assets.collect_candidate, assets.delete_task, assets.verdict, assets.move_task',
    );
    const fragile = (store: BlobStore): BlobStore =>
      withFaults(store, {
        read: (key, range) => (isBroken ? Promise.reject(new Error('EIO')) : store.read(key, range)),
      });
    under = await assetsUnderTest(database.database, { blobGraceMs: 3_600_000 }, fragile, open);
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  const upload = async (bytes: Buffer) => valueOf(await under.assets.upload(alice, sampleRequest({ bytes }))).asset;
  const decide = (hash: string, decision: 'block' | 'unblock') => under.get(ModerateHashHandler).handle(hash, decision);
  const keysOf = async (): Promise<string[]> =>
    (await under.pool.query<{ key: string }>('select object_key as key from assets.blob')).rows.map(({ key }) => key);
  const tasks = async (): Promise<number> => (await under.pool.query('select from assets.move_task')).rowCount ?? 0;

  /** The bytes of a URL, of the store or of the gateway's route; null if it gives none. */
  async function follow(url: string): Promise<Buffer | null> {
    if (kind === 's3') {
      const answer = await fetch(url);
      return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : null;
    }
    const bytes = await under.assets.storedBytes(FOLDER_SIGNER.verify(url, new Date())!.key);
    return bytes.ok ? await buffer(bytes.value) : null;
  }

  it('end with the block, and stay ended after it; the bytes are kept under another key', async () => {
    const bytes = randomBytes(6_000_000);
    const { id, hash, signedUrl } = await upload(bytes);
    const bystander = await upload(Buffer.from('not blocked'));
    const [old] = await keysOf();
    expect((await follow(signedUrl!.url))!.equals(bytes)).toBe(true);
    await decide(hash, 'block');
    await under.get(BlobCollector).run();
    expect(await follow(signedUrl!.url)).toBeNull();
    expect(valueOf(await under.assets.get(alice, id)).signedUrl).toBeNull();
    expect(await keysOf()).not.toContain(old);
    expect((await under.files()).toSorted()).toEqual((await keysOf()).toSorted());
    expect(await tasks()).toBe(0);
    expect(await follow(bystander.signedUrl!.url)).not.toBeNull();

    await decide(hash, 'unblock');
    const fresh = valueOf(await under.assets.content(alice, id)).signedUrl!.url;
    expect((await follow(fresh))!.equals(bytes)).toBe(true);
    expect(await follow(signedUrl!.url)).toBeNull();
  });

  it('end a little later where the store was away, and nothing is left behind', async () => {
    const { hash, signedUrl } = await upload(Buffer.from('later'));
    await decide(hash, 'block');
    isBroken = true;
    expect(await under.get(BlockedMover).run()).toBe(0);
    isBroken = false;
    expect(await under.get(BlockedMover).run()).toBe(0);
    await database.advanceClock(121_000);
    await under.get(BlobCollector).run();
    expect(await follow(signedUrl!.url)).toBeNull();
    expect(await under.files()).toEqual(await keysOf());
    expect((await under.pool.query('select from assets.upload')).rowCount).toBe(0);
  });

  it('are no reason to move what is not stored, not blocked any more, or lost', async () => {
    await decide(`blake3:${'0'.repeat(64)}`, 'block');
    expect(await tasks()).toBe(0);
    const [relented, lost] = [await upload(Buffer.from('relented')), await upload(Buffer.from('lost'))];
    const before = await keysOf();
    await decide(relented.hash, 'block');
    await decide(relented.hash, 'unblock');
    await decide(lost.hash, 'block');
    const { rows } = await under.pool.query('select object_key as key from assets.blob where hash = $1', [lost.hash]);
    await under.store.delete(rows[0].key);
    expect(await under.get(BlockedMover).run()).toBe(0);
    expect(await tasks()).toBe(0);
    expect(await keysOf()).toEqual(before);
    expect(codeOf(await under.assets.content(alice, relented.id))).toBe('accepted');
  });

  it('are ended once by two processes, also where one of them is overtaken', async () => {
    const { hash } = await upload(randomBytes(1_000_000));
    await decide(hash, 'block');
    const first = under.get(BlockedMover).run();
    await database.advanceClock(121_000);
    const second = under.get(BlockedMover).run();
    expect((await first) + (await second)).toBe(1);
    await under.get(BlobCollector).run();
    expect(await under.files()).toEqual(await keysOf());
  });
});
