import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, AccountStanding } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { ACCOUNTS_MIGRATIONS, ACCOUNTS_ROLE } from '../accounts-schema/accounts-migrations.js';
import { FORGET_USE } from './settle-use.sql.js';
import { SettleUseHandler } from './settle-use.handler.js';

describe('the use of an account over several gateways', () => {
  let db: TestDatabase;
  let database: AccountsDatabase;
  let use: SettleUseHandler;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
    database = new AccountsDatabase(db.pool(ACCOUNTS_ROLE));
    use = new SettleUseHandler(database);
  });
  afterAll(async () => await db.drop());

  async function settled(
    gateway: string,
    accountId: AccountId,
    count: number | null,
    streams = 0,
  ): Promise<AccountStanding> {
    const reads = count === null ? null : { count, rate: 0, burst: 100 };
    return (await use.settle(gateway, [{ accountId, reads, streams }])).accounts[0]!;
  }

  it('is what their reports add up to, and no account has more than it owes', async () => {
    const [one, two] = [newUuid(), newUuid()];
    const account = newUuid() as AccountId;
    expect(await settled(one, account, 30, 2)).toMatchObject({ tokens: 70, otherStreams: 0, gateways: 1 });
    expect(await settled(two, account, 50, 1)).toMatchObject({ tokens: 20, otherStreams: 2, gateways: 2 });
    expect(await settled(one, account, null, 3)).toMatchObject({ tokens: null, otherStreams: 1, gateways: 2 });
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => settled(at % 2 === 0 ? one : two, account, 1)));
    expect(Math.min(...all.map(({ tokens }) => tokens!))).toBe(0);
    expect(await settled(one, account, 500)).toMatchObject({ tokens: -100 });
  });

  it('fills up with time, to the burst', async () => {
    const gateway = newUuid();
    const accountId = newUuid() as AccountId;
    const report = async (count: number): Promise<number> => {
      const reads = { count, rate: 10, burst: 100 };
      return (await use.settle(gateway, [{ accountId, reads, streams: 0 }])).accounts[0]!.tokens!;
    };
    expect(await report(100)).toBe(0);
    await db.advanceClock(5_000);
    expect(await report(20)).toBeCloseTo(30, -1);
    await db.advanceClock(3_600_000);
    expect(await report(0)).toBe(100);
  });

  it('counts gateways that serve, not those that stopped or are silent', async () => {
    await db.advanceClock(60_000);
    const [one, two, three] = [newUuid(), newUuid(), newUuid()];
    const account = newUuid() as AccountId;
    for (const gateway of [one, two]) await settled(gateway, account, 1, 4);
    expect((await use.settle(three, [])).gateways).toBe(3);
    await use.leave(two);
    expect(await settled(one, account, 1)).toMatchObject({ otherStreams: 0, gateways: 1 });
    await db.advanceClock(6_000);
    expect(await use.settle(one, [])).toEqual({ gateways: 1, accounts: [] });
  });

  it('is deleted once it says nothing any more', async () => {
    const gateway = newUuid();
    await settled(gateway, newUuid() as AccountId, 1, 0);
    await db.advanceClock(3_600_000);
    await database.query(FORGET_USE, []);
    await database.query(FORGET_USE, []);
    const { rows } = await db.owner.query<{ gateways: number; uses: number }>(
      'select (select count(*)::int from accounts.gateway) as gateways, (select count(*)::int from accounts.gateway_use) as uses',
    );
    expect(rows[0]).toEqual({ gateways: 0, uses: 0 });
  });
});
