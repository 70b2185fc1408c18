import { newUuid, NIL_UUID } from '@heddle/contracts-messages';
import type { Principal, TaskId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { creditsOf, priced, taskCreditsOf } from '../jobs-under-test/credits.fixture.js';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { openDatabase, openJobs, someAccount, valueOf } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobsSettings } from '../settings.js';
import { PART_TASK_ENTRIES } from './check-credits.sql.js';
import { checkCredits } from './check-credits.js';

const DAY_MS = 86_400_000;

describe('the check of credits of tasks', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let me: Principal;
  beforeEach(async () => {
    db = await openDatabase();
    one = await openJobs(db);
    me = someAccount();
    await priced(one, me, {}, 1_000_000);
  });
  afterEach(async () => {
    await one.close();
    await db.drop();
  });
  const problems = async (settings?: JobsSettings): Promise<readonly string[]> =>
    (await checkCredits(db.pool(JOBS_ROLE), settings)).problems;

  async function task(amount: number, charged: number | null): Promise<TaskId> {
    const taskId = newUuid() as TaskId;
    valueOf(await taskCreditsOf(one).reserve({ accountId: me.accountId, taskId, amount }));
    if (charged !== null) valueOf(await taskCreditsOf(one).settle({ accountId: me.accountId, taskId, charged }));
    return taskId;
  }

  it('finds nothing in tasks that were settled, or are under way', async () => {
    await task(10, 0);
    await task(10, 10);
    await task(10, null);
    expect(await checkCredits(db.pool(JOBS_ROLE))).toEqual({ accounts: 1, entries: 6, problems: [] });
  });

  it('reports a task that has not been settled for two days, or for the time of the setting', async () => {
    const taskId = await task(10, null);
    await db.advanceClock(2 * DAY_MS - 60_000);
    expect(await problems()).toEqual([]);
    await db.advanceClock(120_000);
    const text = expect.stringMatching(
      new RegExp(`^reserve entry \\d+ of account ${me.accountId}: task ${taskId} reserved 10 credits \\d+ s ago, and`),
    ) as string;
    expect(await problems()).toEqual([text]);
    expect(await problems(new JobsSettings({ taskSettleMs: 3 * DAY_MS }))).toEqual([]);
  });

  it.each([
    ['a removed reserve', `delete from jobs.ledger where kind = 'reserve'`, /task \S+ has no reserve entry/],
    [
      'a wrong charge',
      `update jobs.ledger set charged = charged + 1 where kind = 'settle'`,
      /task \S+ reserved 10, the entry charged 5 and returned 6/,
    ],
    [
      'the settle of a foreign account',
      `update jobs.ledger set account_id = gen_random_uuid() where kind = 'settle'`,
      /task \S+ was reserved for account/,
    ],
    ['a wrong sum', `update jobs.balance set charged = charged - 1, balance = balance + 1`, /its entries sum to/],
  ])('finds %s', async (_, sql, problem) => {
    await task(10, 4);
    await db.owner.query(sql);
    expect((await problems()).join('\n')).toMatch(problem);
  });

  it('judges each task, also at the edges of parts', async () => {
    await db.owner.query(
      `with task as (select gen_random_uuid() as id, n from generate_series(1, ${PART_TASK_ENTRIES}) n)
       insert into jobs.ledger (account_id, at, kind, amount, balance, task_id, charged)
       select gen_random_uuid(), heddle.clock_now_ms(), kind, amount, 0, id, charged
       from task cross join (values ('reserve', -1, null), ('settle', 0, 1)) entry(kind, amount, charged)`,
    );
    // The check of accounts has its own problems with them, so the tasks alone are counted.
    const wrong = async (): Promise<number> => {
      let [from, found]: [string | null, number] = [`{"of":"tasks","after":"${NIL_UUID}"}`, 0];
      while (from !== null) {
        const part: { problems: readonly string[]; next: string | null } = await creditsOf(one).check(from);
        found += part.problems.length;
        from = part.next;
      }
      return found;
    };
    // Each entry has an account of its own. Of two parts the first 100 problems; the third has the two tasks that they cut.
    expect(await wrong()).toBe(202);
    await db.owner.query(`update jobs.ledger l set account_id = r.account_id from jobs.ledger r
      where l.task_id = r.task_id and l.kind = 'settle' and r.kind = 'reserve'`);
    expect(await wrong()).toBe(0);
    const edge = PART_TASK_ENTRIES / 2;
    await db.owner.query(`update jobs.ledger set charged = 2 where kind = 'settle' and task_id in (
      select id from (select task_id as id, row_number() over (order by task_id) as n from jobs.ledger where kind = 'settle') t
      where n in (1, ${edge - 1}, ${edge}, ${edge + 1}, ${PART_TASK_ENTRIES}))`);
    expect(await wrong()).toBe(5);
  });
});
