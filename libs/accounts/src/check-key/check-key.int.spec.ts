import { clockOffsetSql } from '@heddle/platform-database';
import type { Database } from '@heddle/platform-database';
import { API_KEY } from '@heddle/platform-credentials';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { keyFor, openAccounts, valueOf } from '../accounts-under-test.fixture.js';
import type { AccountsUnderTest } from '../accounts-under-test.fixture.js';
import { ACCOUNTS_MIGRATIONS } from '../accounts-schema/accounts-migrations.js';

const LIFE_MS = 400;
const SECRET = 'A'.repeat(43);

describe('the check of a key', () => {
  let db: TestDatabase;
  let here: AccountsUnderTest;
  let elsewhere: AccountsUnderTest;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
    here = await openAccounts(db.database);
    elsewhere = await openAccounts(db.database, { keyCacheMs: LIFE_MS });
  });
  afterEach(async () => await db.owner.query(clockOffsetSql(0)));
  afterAll(async () => {
    await Promise.all([here.close(), elsewhere.close()]);
    await db.drop();
  });

  const issued = async (changes = {}): Promise<{ key: string; keyId: string }> => {
    const { key, view } = valueOf(await here.accounts.createKey(keyFor('acme', changes)));
    return { key: key.reveal(), keyId: view.keyId };
  };

  it('names the holder, the first time from the database, then at once', async () => {
    const { key, keyId } = await issued({ scopes: ['jobs:read'] });
    const first = here.keys.check(key);
    expect(first).toBeInstanceOf(Promise);
    const holder = await first;
    expect(holder).toMatchObject({ accountName: 'acme', keyId, suspended: false, scopes: new Set(['jobs:read']) });
    expect(here.keys.check(key)).toBe(holder);
  });

  it('costs no look-up for anything without a right checksum', async () => {
    const { key } = await issued();
    const before = await here.lookups();
    for (const noise of ['', 'x', key.slice(0, -1), `${key.slice(0, -8)}00000000`, key.replace('hdl_', 'hdx_')]) {
      expect(here.keys.check(noise)).toBeNull();
      expect(here.keys.isWellFormed(noise)).toBe(false);
    }
    expect(await here.lookups()).toBe(before);
    expect(here.keys.isWellFormed(key)).toBe(true);
  });

  it('refuses an unknown id and a wrong secret, and remembers both', async () => {
    const { key, keyId } = await issued();
    const unknown = API_KEY.format('0123456789abcdef', SECRET);
    expect(await here.keys.check(unknown)).toBeNull();
    expect(here.keys.check(unknown)).toBeNull();
    expect(await here.keys.check(API_KEY.format(keyId, SECRET))).toBeNull();
    expect(here.keys.check(API_KEY.format(keyId, SECRET))).toBeNull();
    expect(here.keys.check(key)).toMatchObject({ keyId });
  });

  it('looks a key up once for a hundred requests at once, and many keys in one statement', async () => {
    const { key } = await issued();
    const before = await here.lookups();
    const all = await Promise.all(Array.from({ length: 100 }, async () => await here.keys.check(key)));
    expect(new Set(all).size).toBe(1);
    expect((await here.lookups()) - before).toBe(1);
  });

  it('ends with a revocation, at once in the process that took it and elsewhere when the cache ends', async () => {
    const { key, keyId } = await issued();
    await Promise.all([here.keys.check(key), elsewhere.keys.check(key)]);
    await here.accounts.revokeKey(keyId);
    expect(await here.keys.check(key)).toBeNull();
    // The life of an entry in the cache, to the end.
    await new Promise((resolve) => setTimeout(resolve, LIFE_MS));
    expect(await elsewhere.keys.check(key)).toBeNull();
  });

  it('believes no answer that was read before a revocation of this process', async () => {
    const { key, keyId } = await issued();
    const gate = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const slow = await openAccounts(slowAnswers(db.database, read.resolve, gate.promise));
    const early = slow.keys.check(key);
    await read.promise;
    await slow.accounts.revokeKey(keyId);
    const late = slow.keys.check(key);
    gate.resolve();
    expect(await early).toMatchObject({ keyId });
    expect(await late).toBeNull();
    expect(slow.keys.check(key)).toBeNull();
    await slow.close();
  });

  it('counts an expiry at the instant, also of a cached key', async () => {
    const { key, keyId } = await issued({ expiresInS: 0.3 });
    expect(await here.keys.check(key)).toMatchObject({ keyId });
    expect(here.keys.check(key)).toMatchObject({ keyId });
    // The life of the key, to the end.
    await new Promise((resolve) => setTimeout(resolve, 310));
    expect(await here.keys.check(key)).toBeNull();
  });

  it('takes the time from the database', async () => {
    const { key } = await issued({ expiresInS: 3_600 });
    await db.owner.query(clockOffsetSql(3_600_000));
    expect(await here.keys.check(key)).toBeNull();
  });

  it('returns a suspension and changed limits at once in the same process', async () => {
    const { key } = await issued();
    await here.keys.check(key);
    await here.accounts.suspend('acme');
    expect(await here.keys.check(key)).toMatchObject({ suspended: true });
    await here.accounts.resume('acme');
    await here.accounts.setLimits('acme', { streams: 3 });
    expect(await here.keys.check(key)).toMatchObject({ suspended: false, limits: { streams: 3, running: null } });
  });

  it('fails while the database is away, unless the key is in the cache and not yet too old', async () => {
    const { key } = await issued();
    let isAway = false;
    const lonely = await openAccounts(
      failing(db.database, () => isAway),
      { keyCacheMs: LIFE_MS },
    );
    const holder = await lonely.keys.check(key);
    isAway = true;
    expect(lonely.keys.check(key)).toBe(holder);
    await expect(lonely.keys.check(API_KEY.format('0'.repeat(16), SECRET))).rejects.toThrow('away');
    // The life of an entry in the cache, to the end.
    await new Promise((resolve) => setTimeout(resolve, LIFE_MS));
    await expect(lonely.keys.check(key)).rejects.toThrow('away');
    isAway = false;
    expect(await lonely.keys.check(key)).toEqual(holder);
    await lonely.close();
  });

  it('notes the last use after the request, at most once a minute', async () => {
    const { key, keyId } = await issued();
    const lastUse = async (): Promise<string | null> => {
      await here.use.write();
      const keys = valueOf(await here.accounts.listKeys('acme', { after: null, limit: 1_000 }));
      return keys.find((view) => view.keyId === keyId)!.lastUsedAt;
    };
    await here.keys.check(key);
    const first = await lastUse();
    expect(Math.abs(Date.parse(first!) - Date.now())).toBeLessThan(10_000);
    await elsewhere.keys.check(key);
    await elsewhere.use.write();
    await here.keys.check(key);
    expect(await lastUse()).toBe(first);
  });

  it('holds a bounded number of keys, and a flood of unknown ones evicts no good one', async () => {
    const small = await openAccounts(db.database, { cachedKeys: 2, cachedRefusals: 2 });
    const { key } = await issued();
    await small.keys.check(key);
    const ids = Array.from({ length: 50 }, (_, at) => `flood${String(at).padStart(11, '0')}`);
    await Promise.all(ids.map(async (id) => await small.keys.check(API_KEY.format(id, SECRET))));
    expect(small.keys.check(key)).toMatchObject({ accountName: 'acme' });
    for (const other of [await issued(), await issued()]) await small.keys.check(other.key);
    expect(small.keys.check(key)).toBeInstanceOf(Promise);
    await small.close();
  });
});

type Query = (query: { name: string }) => Promise<unknown>;

/** The same database, whose statements first wait for `before`. */
function altered(database: Database, run: (name: string, query: () => Promise<unknown>) => Promise<unknown>) {
  const pool: Database['pool'] = (role, use) => {
    const real = database.pool(role, use);
    const query: Query = (statement) =>
      run(statement.name, async () => await (real.query as unknown as Query).call(real, statement));
    return { query } as unknown as ReturnType<Database['pool']>;
  };
  return { pool };
}

/** Its answers to look-ups arrive when the gate opens; they are read before. */
function slowAnswers(database: Database, onRead: () => void, gate: Promise<void>) {
  return altered(database, async (name, query) => {
    const answer = await query();
    if (name !== 'accounts.look_up_keys') return answer;
    onRead();
    await gate;
    return answer;
  });
}

function failing(database: Database, isAway: () => boolean) {
  return altered(database, async (_, query) => {
    if (isAway()) throw new Error('the database is away');
    return await query();
  });
}
