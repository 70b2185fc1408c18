import { setTimeout as delay } from 'node:timers/promises';
import { clockOffsetSql } from '@heddle/platform-database';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keyFor, openAccounts, valueOf } from '../accounts-under-test.fixture.js';
import type { AccountsUnderTest } from '../accounts-under-test.fixture.js';
import { ACCOUNTS_MIGRATIONS } from '../accounts-schema/accounts-migrations.js';

const LIFE_MS = 300;

describe('a key that is followed', () => {
  let db: TestDatabase;
  /** Takes the changes, and would believe a key for long. */
  let here: AccountsUnderTest;
  let elsewhere: AccountsUnderTest;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
    here = await openAccounts(db.database, { keyCacheMs: 3_600_000 });
    elsewhere = await openAccounts(db.database, { keyCacheMs: LIFE_MS, followMs: LIFE_MS });
  });
  afterEach(async () => await db.owner.query(clockOffsetSql(0)));
  afterAll(async () => {
    await Promise.all([here.close(), elsewhere.close()]);
    await db.drop();
  });

  /** A new key that both processes follow, and when each of them hears of its end. */
  async function followed(account: string, changes = {}) {
    const { key, view } = valueOf(await here.accounts.createKey(keyFor(account, changes)));
    const ends = await Promise.all(
      [here, elsewhere].map(async ({ keys }) => {
        const holder = await keys.check(key.reveal());
        const { promise, resolve } = Promise.withResolvers<void>();
        const stop = keys.follow(holder!, resolve);
        return { promise, stop };
      }),
    );
    return {
      keyId: view.keyId,
      ended: ends.map(({ promise }) => promise),
      stop: () => ends.forEach((end) => end.stop()),
    };
  }

  it('ends where it is revoked, and where it is looked up again', async () => {
    const { keyId, ended } = await followed('revoked');
    await here.accounts.revokeKey(keyId);
    await Promise.all(ended);
  });

  it('ends with the suspension of its account', async () => {
    const { ended } = await followed('suspended');
    await here.accounts.suspend('suspended');
    await Promise.all(ended);
  });

  it('ends when it expires', async () => {
    const { ended } = await followed('expiring', { expiresInS: 1 });
    await Promise.all(ended);
  });

  it('goes on while it is good, with one look-up for all its followers, and none once nobody follows', async () => {
    const { key } = valueOf(await here.accounts.createKey(keyFor('steady')));
    const holder = await elsewhere.keys.check(key.reveal());
    let ended = 0;
    const stops = Array.from({ length: 200 }, () => elsewhere.keys.follow(holder!, () => ended++));
    const before = await elsewhere.lookups();
    // The proof that nothing happens: several lives of a cached key.
    await delay(5 * LIFE_MS);
    const asked = (await elsewhere.lookups()) - before;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(10);
    expect(ended).toBe(0);
    for (const stop of stops) stop();
    const after = await elsewhere.lookups();
    await delay(3 * LIFE_MS);
    expect(await elsewhere.lookups()).toBe(after);
  });
});
