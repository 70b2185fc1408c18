import type { Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { copyLedgers } from '@heddle/testing-jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { PART_JOB_ENTRIES } from './check-credits.sql.js';
import { checkCredits } from './check-credits.js';
import { creditsOf, priced } from '../jobs-under-test/credits.fixture.js';
import {
  leased,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submitted,
  succeeded,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('the check of credits', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let me: Principal;
  beforeEach(async () => {
    db = await openDatabase();
    one = await openJobs(db, { maxRuntimeMs: 10_000 });
    me = someAccount();
    await priced(one, me, { perJob: 1, perSecond: 1 }, 100);
    await submitted(one, me);
    await one.leases.ingest([reportOf(await leased(one, me), 1, succeeded)]);
    await submitted(one, me);
  });
  afterEach(async () => {
    await one.close();
    await db.drop();
  });
  const problems = async (): Promise<readonly string[]> => (await checkCredits(db.pool(JOBS_ROLE))).problems;

  it('counts accounts and entries, and finds nothing where nothing is wrong', async () => {
    expect(await checkCredits(db.pool(JOBS_ROLE))).toEqual({ accounts: 1, entries: 4, problems: [] });
  });

  it.each([
    ['an amount', `update jobs.ledger set amount = amount - 1 where kind = 'reserve'`, /its amount leads to/],
    [
      'a balance',
      `update jobs.balance set balance = balance + 1, granted = granted + 1`,
      /balance is \d+, its entries sum/,
    ],
    ['a removed settle', `delete from jobs.ledger where kind = 'settle'`, /has ended and has no settle entry/],
    ['a removed reserve', `delete from jobs.ledger where kind = 'reserve'`, /by the log, and has no entry/],
    [
      'a wrong charge',
      `update jobs.ledger set charged = charged + 1, amount = amount - 1, balance = balance - 1 where kind = 'settle'`,
      /costs \d+, the entry charged/,
    ],
    [
      'a settle of a job that runs',
      `update jobs.event set is_terminal = false, type = 'NodeFinished', data = '{"nodeId":"1","classType":"x","startedAt":"","endedAt":"","cached":false}' where is_terminal`,
      /has not ended/,
    ],
    [
      'a foreign job',
      `update jobs.ledger set job_id = gen_random_uuid() where kind = 'settle'`,
      /has ended and has no settle entry/,
    ],
  ])('finds %s', async (_, sql, problem) => {
    await db.owner.query('alter table jobs.event disable trigger all');
    await db.owner.query(sql);
    expect((await problems()).join('\n')).toMatch(problem);
  });

  it('takes only places that it gave', async () => {
    for (const place of [
      '{"of":"log","after":"x"}',
      '{"of":"tasks","after":"x"}',
      '{"of":"ledger","accountId":"a","entryId":1,"carried":null}',
      'x',
    ]) {
      await expect(creditsOf(one).check(place)).rejects.toThrow();
    }
  });
});

describe('the check of more jobs than one part holds', () => {
  it('judges each job, also at the edges of parts', async () => {
    const db = await openDatabase();
    const one = await openJobs(db, { maxRuntimeMs: 10_000 });
    try {
      const me = someAccount();
      await priced(one, me, { perJob: 1, perSecond: 1 }, 100_000);
      await submitted(one, me);
      await one.leases.ingest([reportOf(await leased(one, me), 1, succeeded)]);
      await copyLedgers(async (sql) => await db.owner.query(sql), { accounts: 3, jobs: 2_000 });
      const all = { accounts: 4, entries: 4 + 2 * 6_001 };
      expect(await checkCredits(db.pool(JOBS_ROLE))).toEqual({ ...all, problems: [] });
      const edge = PART_JOB_ENTRIES / 2;
      const { rows } = await db.owner.query<{ id: string }>(
        `update jobs.ledger set charged = charged + 1, amount = amount - 1 where kind = 'settle' and job_id in (
           select id from (select id, row_number() over (order by id) as n from jobs.job) j
           where n in (1, ${edge - 2}, ${edge - 1}, ${edge}, ${edge + 1}, 6001)) returning job_id as id`,
      );
      expect(rows).toHaveLength(6);
      const { problems } = await checkCredits(db.pool(JOBS_ROLE));
      const wrong = problems.flatMap((problem) => /job (\S+) costs/.exec(problem)?.[1] ?? []);
      expect(wrong).toEqual(rows.map(({ id }) => id).sort());
    } finally {
      await one.close();
      await db.drop();
    }
  });
});
