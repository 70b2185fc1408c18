import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '@heddle/testing-database';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, JobId, Principal } from '@heddle/contracts-messages';
import { dropConsistent, leased, openDatabase, openJobs, someAccount, submitted, until } from '../open-jobs.fixture.js';
import type { OpenJobs } from '../open-jobs.fixture.js';

describe('places of waiting jobs', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { queueDepthAccount: 1_000 });
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  it('are right at both ends and in the middle of a long queue', async () => {
    const me = someAccount();
    const ids = await many(me, 700);
    const places = await one.jobs.queuePositions(ids);
    expect(ids.map((id) => places.get(id))).toEqual(ids.map((_, index) => index + 1));
    for (const index of [0, 1, 350, 443, 444, 445, 698, 699]) {
      expect(await placeOf(ids[index]!)).toBe(index + 1);
    }
    await leased(one, me);
    expect([await placeOf(ids[0]!), await placeOf(ids[1]!), await placeOf(ids[699]!)]).toEqual([undefined, 1, 699]);
  });

  it('of many accounts are told from one look at their counters, and of one that is new to it as well', async () => {
    const { deploymentId } = someAccount();
    const accounts = Array.from({ length: 150 }, (): Principal => ({
      accountId: newUuid() as AccountId,
      deploymentId,
    }));
    accounts.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
    for (const account of accounts) await submitted(one, account);
    const [first, last] = [accounts[0]!, accounts.at(-1)!];
    // The second job of an account comes after the first job of every account. A read that is some milliseconds old
    // lacks the newest.
    const second = (await submitted(one, first)).id;
    await until(async () => (await placeOf(second)) === 151, 'a look that has all others');
    const isLast = { accountId: 'ffffffff-ffff-7fff-bfff-ffffffffffff' as AccountId, deploymentId };
    expect((await submitted(one, isLast)).queuePosition).toBe(151);
    const { id, queuePosition } = await submitted(one, last);
    expect([151, 152, 153]).toContain(queuePosition);
    await until(async () => (await placeOf(id)) === 153, 'a look that has the last one');
  });

  async function many(me: Principal, count: number): Promise<readonly JobId[]> {
    const ids: JobId[] = [];
    for (let n = 0; n < count; n += 1) ids.push((await submitted(one, me)).id);
    return ids;
  }

  async function placeOf(id: JobId): Promise<number | undefined> {
    return (await one.jobs.queuePositions([id])).get(id);
  }
});
