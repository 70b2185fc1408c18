import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId, AssetId, MintRequest, Principal } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { AssetExpirer } from '../expire-assets/asset-expirer.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { LimitStorageHandler } from './limit-storage.handler.js';

const mintOf = (hash: string, filePath: string): MintRequest => ({ hash, filePath, tags: [], expiresIn: null });

describe('the storage of an account', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  let storage: LimitStorageHandler;
  let version = 0;
  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database);
    storage = under.get(LimitStorageHandler);
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  const limit = async ({ accountId }: Principal, bytes: number | null) =>
    await storage.limitAccount(accountId, bytes, (version += 1));
  const used = async ({ accountId }: Principal) => (await storage.storedBy([accountId])).get(accountId);
  const upload = async (me: Principal, bytes: string, expiresIn?: string) =>
    await under.assets.upload(me, sampleRequest({ bytes, expiresIn }));
  const output = async (me: Principal, bytes: string) =>
    await under.worker.commitOutput(under.leases.lend(me), {
      key: 'n/0',
      name: 'out.png',
      type: 'image',
      contentType: 'image/png',
      body: Readable.from([Buffer.from(bytes)]),
    });

  it('counts each hash once, and gives its bytes back with its last record', async () => {
    const me = somebody();
    const first = valueOf(await upload(me, 'x'.repeat(100))).asset;
    const second = valueOf(await upload(me, 'x'.repeat(100))).asset;
    await output(me, 'x'.repeat(100));
    valueOf(await under.assets.mintFromHash(me, mintOf(first.hash, 'other.png')));
    await output(me, 'y'.repeat(10));
    expect(await used(me)).toBe(110);
    valueOf(await under.assets.delete(me, first.id));
    valueOf(await under.assets.delete(me, second.id));
    expect(await used(me)).toBe(110);
    expect(await used(somebody())).toBeUndefined();
  });

  it('refuses uploads and mints above the limit, never outputs', async () => {
    const me = somebody();
    await limit(me, 100);
    const { hash } = valueOf(await upload(me, 'a'.repeat(100))).asset;
    const refused = await upload(me, 'b');
    expect(codeOf(refused)).toBe('payload_too_large');
    expect(refused).toMatchObject({ rejection: { details: { limit: 'account_storage_bytes' } } });
    // The same bytes take no more room.
    expect(codeOf(await under.assets.mintFromHash(me, mintOf(hash, 'same.png')))).toBe('accepted');
    await output(me, 'c'.repeat(50));
    expect(await used(me)).toBe(150);
    expect(await under.assets.mintFromHash(me, mintOf(hash, 'over.png'))).toMatchObject({
      ok: false,
      rejection: { code: 'payload_too_large', details: { limit: 'account_storage_bytes' } },
    });
    expect(codeOf(await upload(me, 'a'.repeat(100)))).toBe('payload_too_large');
    await limit(me, null);
    expect(codeOf(await upload(me, 'b'))).toBe('accepted');
  });

  it('takes no more than the limit from uploads at once, and leaves nothing of the others', async () => {
    const me = somebody();
    await limit(me, 1_000);
    const before = (await under.files()).length;
    const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => upload(me, `${at}`.padEnd(300, '.'))));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    expect(await used(me)).toBe(900);
    expect((await under.files()).length).toBe(before + 3);
  });

  it('has the bytes of expired records back at once, with no sweeper', async () => {
    const me = somebody();
    await limit(me, 100);
    valueOf(await upload(me, 'e'.repeat(100), '60'));
    expect(codeOf(await upload(me, 'f'.repeat(100)))).toBe('payload_too_large');
    await database.advanceClock(61_000);
    expect(codeOf(await upload(me, 'f'.repeat(100)))).toBe('accepted');
    expect(await used(me)).toBe(100);
  });

  it('keeps no record from its removal that was loaded without triggers', async () => {
    const me = somebody();
    const { id } = valueOf(await upload(me, 'restored')).asset;
    await database.owner.query('update assets.account_storage set stored_bytes = 3 where account_id = $1', [
      me.accountId,
    ]);
    valueOf(await under.assets.delete(me, id));
    expect(await used(me)).toBe(0);
  });

  it('is the sum over the rows after changes of many accounts at once', async () => {
    const accounts = Array.from({ length: 3 }, somebody);
    const ids: (readonly [Principal, AssetId])[] = [];
    const act = async (lane: number): Promise<void> => {
      for (let n = 0; n < 12; n += 1) {
        const me = accounts[(lane + n) % 3]!;
        const bytes = `same ${(lane * 7 + n * 5) % 4}`.repeat(20);
        const done = n % 4 === 3 ? ids.splice(0, 1)[0] : undefined;
        if (done !== undefined) await under.assets.delete(...done);
        else if (n % 3 === 0) await output(me, bytes);
        else ids.push([me, valueOf(await upload(me, bytes, n % 2 === 0 ? '60' : undefined)).asset.id]);
      }
    };
    await Promise.all([0, 1, 2, 3, 4].map(act));
    await database.advanceClock(120_000);
    await under.get(AssetExpirer).run();
    const { rows } = await database.owner.query<{ account_id: AccountId; bytes: string }>(
      `select account_id, sum(size_bytes)::text as bytes
       from (select distinct account_id, hash, size_bytes from assets.asset) one group by account_id`,
    );
    const stored = await storage.storedBy(accounts.map(({ accountId }) => accountId));
    const summed = new Map(rows.map(({ account_id: id, bytes }) => [id, Number(bytes)]));
    for (const { accountId } of accounts) expect(stored.get(accountId)).toBe(summed.get(accountId) ?? 0);
  });
});
