import { setTimeout as delay } from 'node:timers/promises';
import { clockOffsetSql } from '@heddle/platform-database';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keyFor, openAccounts, valueOf } from '../accounts-under-test.fixture.js';
import type { AccountsUnderTest } from '../accounts-under-test.fixture.js';
import { ACCOUNTS_MIGRATIONS } from '../accounts-schema/accounts-migrations.js';

const LIFE_MS = 300;
const MAX_UNCHECKED_MS = 3_500;
const POLL = { timeout: 20_000 };
/** The `lock_timeout` of a service. */
const LOCK_WAIT_MS = 2_000;

describe('a key that is followed', () => {
  let db: TestDatabase;
  /** Takes the changes, and would believe a key for long. */
  let here: AccountsUnderTest;
  let elsewhere: AccountsUnderTest;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
    here = await openAccounts(db.database, { keyCacheMs: 3_600_000 });
    elsewhere = await openAccounts(db.database, {
      keyCacheMs: LIFE_MS,
      followMs: LIFE_MS,
      maxUncheckedMs: MAX_UNCHECKED_MS,
    });
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

  /** A new key that one process follows. */
  async function followedBy({ keys }: AccountsUnderTest, account: string) {
    const { key } = valueOf(await here.accounts.createKey(keyFor(account)));
    const holder = await keys.check(key.reveal());
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = keys.follow(holder!, resolve);
    return { ended: promise, stop };
  }

  it('goes on after a look-up that failed, if a later one finds it good', async () => {
    const { ended, stop } = await followedBy(elsewhere, 'failing-once');
    let isEnded = false;
    void ended.then(() => (isEnded = true));
    const before = await elsewhere.lookups();
    await db.owner.query('alter table accounts.api_key rename to gone');
    await expect.poll(elsewhere.lookups, POLL).toBeGreaterThan(before);
    await db.owner.query('alter table accounts.gone rename to api_key');
    const failed = await elsewhere.lookups();
    await expect.poll(elsewhere.lookups, POLL).toBeGreaterThan(failed + 1);
    expect(isEnded).toBe(false);
    stop();
  });

  it('ends once its look-ups have failed for too long, with a pause between them', async () => {
    const { ended } = await followedBy(elsewhere, 'failing');
    const before = await elsewhere.lookups();
    await db.owner.query('alter table accounts.api_key rename to gone');
    await ended;
    await db.owner.query('alter table accounts.gone rename to api_key');
    const asked = (await elsewhere.lookups()) - before;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(6);
  });

  it('ends while a look-up hangs, without waiting for its end', async () => {
    // Its time is over before the database ends the wait for the lock.
    const maxUncheckedMs = LOCK_WAIT_MS / 2;
    const impatient = await openAccounts(db.database, { keyCacheMs: LIFE_MS, followMs: LIFE_MS, maxUncheckedMs });
    const { ended } = await followedBy(impatient, 'hanging');
    const locker = await db.owner.connect();
    await locker.query('begin; lock table accounts.api_key in access exclusive mode');
    await ended;
    expect(await waiting(locker)).toBeGreaterThan(0);
    await locker.query('rollback');
    locker.release();
    await impatient.close();
  });
});

/** Statements that wait for a lock in this database. */
async function waiting(client: Pick<TestDatabase['owner'], 'query'>): Promise<number> {
  const sql = `select count(*)::int as waiting from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock'`;
  return (await client.query<{ waiting: number }>(sql)).rows[0]!.waiting;
}
