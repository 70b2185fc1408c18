import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { AssetId, MintRequest } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { FIND_REFERENCE } from './mint-from-hash.sql.js';

describe('minting from a hash', () => {
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

  const upload = async (bytes: Buffer | string, expiresIn?: string) =>
    valueOf(await under.assets.upload(alice, sampleRequest({ bytes, contentType: 'image/webp', expiresIn }))).asset;
  const request = (hash: string, more: Partial<MintRequest> = {}): MintRequest => ({
    hash,
    filePath: null,
    tags: [],
    expiresIn: null,
    ...more,
  });

  it('finds the identical reference without reading those with other tags', async () => {
    const { hash } = await upload('tagged');
    await database.owner.query(
      `insert into assets.asset (id, account_id, deployment_id, hash, size_bytes, content_type, file_path, tags, tag_set, created_at)
       select gen_random_uuid(), account_id, deployment_id, hash, size_bytes, content_type, 'a.png', array['t' || n], array['t' || n], now()
       from assets.asset, generate_series(1, 2000) n where hash = $1`,
      [hash],
    );
    await database.owner.query('analyze assets.asset');
    const wanted = [alice.accountId, hash, 'a.png', ['t7']];
    const { rows } = await database.owner.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off, buffers off) ${FIND_REFERENCE.text}`,
      wanted,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('asset_same_reference');
    expect(plan).not.toContain('Removed by Filter');
    const again = await under.assets.mintFromHash(alice, request(hash, { filePath: 'a.png', tags: ['t7'] }));
    expect(valueOf(again).created).toBe(false);
  });

  it('makes another record over the same bytes, and a repetition finds it (FH06 to FH08)', async () => {
    const bytes = randomBytes(5_000);
    const { id, hash } = await upload(bytes);
    const wanted = request(hash, { filePath: 'new.png', tags: ['b', 'a'] });
    const first = valueOf(await under.assets.mintFromHash(alice, wanted));
    expect(first.created).toBe(true);
    expect(first.asset).toMatchObject({
      hash,
      sizeBytes: 5_000,
      contentType: 'image/webp',
      filePath: 'new.png',
      tags: ['b', 'a'],
    });
    expect(first.asset.id).not.toBe(id);
    expect((await buffer(valueOf(await under.assets.bytes(alice, first.asset.id)))).equals(bytes)).toBe(true);

    const again = valueOf(await under.assets.mintFromHash(alice, { ...wanted, tags: ['a', 'b', 'a'] }));
    expect(again).toEqual({ asset: first.asset, created: false });
    for (const other of [{ filePath: 'other.png' }, { tags: ['a'] }, { tags: ['a', 'b', 'c'] }]) {
      const minted = valueOf(await under.assets.mintFromHash(alice, { ...wanted, ...other }));
      expect(minted.created).toBe(true);
    }
  });

  it('takes the file path of the newest record if none is given', async () => {
    const { hash } = await upload('path');
    // Of two records in the same millisecond neither is newer.
    await database.advanceClock(1);
    await under.assets.mintFromHash(alice, request(hash, { filePath: 'newest/name.png', tags: ['x'] }));
    const minted = valueOf(await under.assets.mintFromHash(alice, request(hash)));
    expect(minted).toMatchObject({ created: true, asset: { filePath: 'newest/name.png', tags: [] } });
  });

  it('extends the life of an identical reference and never shortens it (FH12)', async () => {
    const { hash, id } = await upload('lives', '3600');
    const life = async (expiresIn: number | null): Promise<number> => {
      const minted = valueOf(await under.assets.mintFromHash(alice, request(hash, { expiresIn })));
      expect(minted).toMatchObject({ created: false, asset: { id } });
      return (Date.parse(minted.asset.expiresAt!) - Date.parse(minted.asset.createdAt)) / 1000;
    };
    expect(await life(60)).toBe(3600);
    expect(await life(null)).toBe(3600);
    // From now on, slightly after the record was created.
    const extended = await life(7200);
    expect(extended).toBeGreaterThanOrEqual(7200);
    expect(extended).toBeLessThan(7260);
    expect(await life(3600)).toBe(extended);
    const forEver = await upload('for ever');
    const minted = valueOf(await under.assets.mintFromHash(alice, request(forEver.hash, { expiresIn: 60 })));
    expect(minted).toMatchObject({ created: false, asset: { id: forEver.id, expiresAt: null } });
  });

  it('answers unknown, foreign, blocked and deleted bytes alike, and HEAD agrees (FH01 to FH05, FH09, FH10, FH13)', async () => {
    const asset = await upload('mine');
    expect(await under.assets.canMint(alice, asset.hash)).toBe(true);
    const blocked = await upload('blocked');
    await under.get(ModerateHashHandler).handle(blocked.hash, 'block');
    const deleted = await upload('deleted');
    valueOf(await under.assets.delete(alice, deleted.id));
    const expired = await upload('expired', '60');
    await database.advanceClock(60_001);
    const unknown = await under.assets.mintFromHash(alice, request(hashOf('unknown')));
    expect(codeOf(unknown)).toBe('blob_not_found');
    for (const [who, hash] of [
      [bob, asset.hash],
      [alice, blocked.hash],
      [alice, deleted.hash],
      [alice, expired.hash],
    ] as const) {
      expect(await under.assets.mintFromHash(who, request(hash))).toEqual(unknown);
      expect(await under.assets.canMint(who, hash)).toBe(false);
    }
    for (const hash of [
      'abc',
      '',
      hashOf('x').toUpperCase(),
      `sha256:${'0'.repeat(64)}`,
      '../etc/passwd',
      `${asset.hash}\0`,
    ]) {
      expect(await under.assets.canMint(alice, hash)).toBe(false);
    }
  });

  it('names every field that is wrong (FH11, FH12)', async () => {
    const answer = await under.assets.mintFromHash(
      alice,
      request('md5:00', { filePath: '../x', tags: [''], expiresIn: 59 }),
    );
    expect(answer).toMatchObject({
      ok: false,
      rejection: {
        code: 'invalid_request',
        details: {
          fields: {
            hash: expect.anything(),
            file_path: expect.anything(),
            tags: expect.anything(),
            expires_in: expect.anything(),
          },
        },
      },
    });
  });

  it('makes one record of twenty equal requests at a time (FH14)', async () => {
    const { hash } = await upload('twenty');
    const wanted = request(hash, { filePath: 'twenty.png', expiresIn: 3600 });
    const minted = await Promise.all(Array.from({ length: 20 }, () => under.assets.mintFromHash(alice, wanted)));
    const values = minted.map(valueOf);
    expect(values.filter((each) => each.created)).toHaveLength(1);
    expect(new Set(values.map((each) => each.asset.id)).size).toBe(1);
  });

  it('during the upload of the same bytes gives no record without content (FH15)', async () => {
    for (let round = 0; round < 10; round += 1) {
      const bytes = randomBytes(30_000);
      const wanted = request(hashOf(bytes), { filePath: 'racing.png' });
      const uploading = under.assets.upload(alice, sampleRequest({ bytes }));
      const minted = await under.assets.mintFromHash(alice, wanted);
      if (minted.ok) {
        expect((await buffer(valueOf(await under.assets.bytes(alice, minted.value.asset.id)))).equals(bytes)).toBe(
          true,
        );
      } else expect(minted.rejection.code).toBe('blob_not_found');
      valueOf(await uploading);
    }
  });

  it('is possible from an output of a job that is still retained', async () => {
    const { Readable } = await import('node:stream');
    const output = await under.worker.commitOutput(under.leases.lend(bob), {
      key: '9/0/0',
      name: 'out.png',
      type: 'image',
      contentType: 'image/png',
      body: Readable.from([Buffer.from('an output')]),
    });
    const minted = valueOf(await under.assets.mintFromHash(bob, request(output.hash, { filePath: 'kept.png' })));
    expect(minted).toMatchObject({ created: true, asset: { jobId: null, contentType: 'image/png', expiresAt: null } });
    expect(minted.asset.id).not.toBe(output.assetId as AssetId);
  });
});
