import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '@heddle/testing-database';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, JobId, Principal } from '@heddle/contracts-messages';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { candidatesSql } from '../lease-job/leases.sql.js';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
  until,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe(`positions of waiting jobs (seed ${seed})`, () => {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
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
    const positions = await one.jobs.queuePositions(ids);
    expect(ids.map((id) => positions.get(id))).toEqual(ids.map((_, index) => index + 1));
    for (const index of [0, 1, 350, 443, 444, 445, 698, 699]) {
      expect(await positionOf(ids[index]!)).toBe(index + 1);
    }
    await leased(one, me);
    expect([await positionOf(ids[0]!), await positionOf(ids[1]!), await positionOf(ids[699]!)]).toEqual([
      undefined,
      1,
      699,
    ]);
  });

  it('of many accounts come from one look at their counters, and of one that is new to it as well', async () => {
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
    await until(async () => (await positionOf(second)) === 151, 'a look that has all others');
    const isLast = { accountId: 'ffffffff-ffff-7fff-bfff-ffffffffffff' as AccountId, deploymentId };
    expect((await submitted(one, isLast)).queuePosition).toBe(151);
    const { id, queuePosition } = await submitted(one, last);
    expect([151, 152, 153]).toContain(queuePosition);
    await until(async () => (await positionOf(id)) === 153, 'a look that has the last one');
  });

  it('are the order in which the queue is claimed, whatever runs and waits', async () => {
    const { deploymentId } = someAccount();
    const accounts = Array.from({ length: 5 }, (): Principal => ({ accountId: newUuid() as AccountId, deploymentId }));
    const pool = db.pool('heddle_jobs');
    const waiting = new Set<JobId>();
    for (let round = 0; round < 30; round += 1) {
      for (let n = 0; n < 3; n += 1) waiting.add((await submitted(one, pick(accounts))).id as JobId);
      if (random() < 0.6) waiting.delete((await leased(one, accounts[0]!)).jobId);
      const values = [[deploymentId], waiting.size, []];
      const { rows } = await pool.query<{ job_id: JobId }>(candidatesSql, values);
      const positions = await one.jobs.queuePositions([...waiting]);
      expect(rows.map((row) => positions.get(row.job_id))).toEqual(rows.map((_, index) => index + 1));
      expect(rows).toHaveLength(waiting.size);
    }
  });

  async function many(me: Principal, count: number): Promise<readonly JobId[]> {
    const ids: JobId[] = [];
    for (let n = 0; n < count; n += 1) ids.push((await submitted(one, me)).id);
    return ids;
  }

  async function positionOf(id: JobId): Promise<number | undefined> {
    return (await one.jobs.queuePositions([id])).get(id);
  }
});
