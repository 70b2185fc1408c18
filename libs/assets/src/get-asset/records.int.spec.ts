import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { MANAGED_DEPLOYMENT_ID, newUuid } from '@heddle/contracts-messages';
import type { AssetId, AssetView } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';

describe('a record', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  const alice = somebody();
  const bob = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database);
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  const upload = async (bytes: Buffer | string, expiresIn?: string): Promise<AssetView> =>
    valueOf(await under.assets.upload(alice, sampleRequest({ bytes, expiresIn }))).asset;

  it('of another account, deleted, or never there is one and the same answer (AS02, AS03, AS05, AS08, CT12)', async () => {
    const mine = await upload('mine');
    const gone = await upload('gone');
    expect(codeOf(await under.assets.delete(alice, gone.id))).toBe('accepted');
    const unknown = await under.assets.get(alice, newUuid() as AssetId);
    expect(codeOf(unknown)).toBe('not_found');
    const odd = ['..%2f..', '\0', 'x'.repeat(10_000), mine.id.toUpperCase(), `{${mine.id}}`] as AssetId[];
    for (const [who, id] of [[bob, mine.id], [alice, gone.id], ...odd.map((each) => [alice, each] as const)] as const) {
      expect(await under.assets.get(who, id)).toEqual(unknown);
      expect(await under.assets.content(who, id)).toEqual(unknown);
      expect(await under.assets.delete(who, id)).toEqual(unknown);
    }
    expect(codeOf(await under.assets.get(alice, mine.id))).toBe('accepted');
  });

  it('is read with its signed URL by one statement', async () => {
    const { id } = await upload('signed');
    const managed = { ...alice, deploymentId: MANAGED_DEPLOYMENT_ID };
    let statements = 0;
    const count = (): void => void statements++;
    under.pool.on('acquire', count);
    const asset = valueOf(await under.assets.get(managed, id));
    under.pool.off('acquire', count);
    expect(asset.signedUrl).not.toBeNull();
    expect(statements).toBe(1);
  });

  it('is deleted once among twenty deletions at a time (AS10)', async () => {
    const { id } = await upload('deleted twenty times');
    const codes = await Promise.all(Array.from({ length: 20 }, () => under.assets.delete(alice, id)));
    expect(codes.map(codeOf).sort()).toEqual(['accepted', ...Array.from({ length: 19 }, () => 'not_found')]);
  });

  it('leaves the bytes to other records over them when it goes (AS07)', async () => {
    const [one, two] = [await upload('over one blob'), await upload('over one blob')];
    valueOf(await under.assets.delete(alice, one.id));
    expect((await buffer(valueOf(await under.assets.bytes(alice, two.id)))).toString()).toBe('over one blob');
    expect(await under.assets.canMint(alice, two.hash)).toBe(true);
  });

  it('is gone at the instant of its expiry, before any sweeper runs; a shorter re-upload changes nothing (AS11, AS12, I20)', async () => {
    const long = await upload('expires', '120');
    const short = await upload('expires', '60');
    await database.advanceClock(60_001);
    for (const operation of ['get', 'content', 'delete'] as const) {
      expect(codeOf(await under.assets[operation](alice, short.id))).toBe('not_found');
    }
    expect(await under.assets.missing(alice, [short.id, long.id])).toEqual([short.id]);
    expect(valueOf(await under.assets.get(alice, long.id))).toEqual(long);
  });

  it('gives any range of its bytes, fifty at a time, and closes what a client leaves (CT02, CT14)', async () => {
    const bytes = randomBytes(1_000_000);
    const { id } = await upload(bytes);
    const pieces = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        return buffer(valueOf(await under.assets.bytes(alice, id, { start: at * 20_000, end: at * 20_000 + 19_999 })));
      }),
    );
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    const before = (await readdir('/proc/self/fd')).length;
    for (let turn = 0; turn < 20; turn += 1) {
      const stream = valueOf(await under.assets.bytes(alice, id));
      await new Promise((resolve) => stream.once('data', () => stream.destroy()).once('close', resolve));
    }
    expect((await readdir('/proc/self/fd')).length).toBeLessThan(before + 5);
  });

  it('lives as long as the surface keeps uploads, and reveals other accounts only if a setting allows it', async () => {
    const managed = await assetsUnderTest(database.database, {
      uploadRetentionMs: 30 * 86_400_000,
      dedupDisclosure: 'platform',
    });
    const bytes = randomBytes(100);
    const first = valueOf(await managed.assets.upload(alice, sampleRequest({ bytes })));
    expect(Date.parse(first.asset.expiresAt!) - Date.parse(first.asset.createdAt)).toBe(30 * 86_400_000);
    const second = valueOf(await managed.assets.upload(bob, sampleRequest({ bytes, expiresIn: '60' })));
    expect([first.created, second.created]).toEqual([true, false]);
    await managed.end();
  });
});
