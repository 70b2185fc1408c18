import { newUuid } from '@heddle/contracts-messages';
import type { PoolClient } from 'pg';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PART_TASK_ENTRIES, snapshotSql, taskEntriesSql } from '../check-credits/check-credits.sql.js';
import { priced, sumsOf } from '../jobs-under-test/credits.fixture.js';
import { openDatabase, openJobs, someAccount } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { reserveSql } from '../reserve-task/reserve-task.sql.js';
import { settleSql } from './settle-task.sql.js';

const TASKS = 50_000;
/** Of two indexes of some levels, the rows, and the free-space maps. */
const MAX_PAGES = 60;

describe('the statements of tasks, planned while the tables were empty', () => {
  const me = someAccount();
  let db: TestDatabase;
  let one: OpenJobs;
  let service: PoolClient;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db);
    await priced(one, me, {}, 1_000_000);
    // With the service's planner settings, which its pool sets.
    service = await db.pool('heddle_jobs').connect();
    await life();
    await db.owner.query(
      `with task as (select gen_random_uuid() as id, gen_random_uuid() as account_id from generate_series(1, ${TASKS})),
         balance as (insert into jobs.balance (account_id, balance, granted, charged) select account_id, 0, 1, 1 from task)
       insert into jobs.ledger (account_id, at, kind, amount, balance, task_id, charged)
       select account_id, heddle.clock_now_ms(), kind, amount, balance, case when charged is null and amount > 0 then null else id end, charged
       from task cross join (values ('grant', 1, 1, null), ('reserve', -1, 0, null), ('settle', 0, 0, 1)) e(kind, amount, balance, charged)`,
    );
  }, 120_000);
  afterAll(async () => {
    service.release();
    await one.close();
    await db.drop();
  });

  /** Pages that a statement reads, those of the statements inside of a function included. */
  async function pagesOf(sql: string, values: unknown[] = []): Promise<number> {
    const { rows } = await service.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      values,
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  }

  /** Pages of each call in the life of a task: reserve, its repeat, settle, its repeat. */
  async function life(): Promise<readonly number[]> {
    const [taskId, pages] = [newUuid(), [] as number[]];
    for (const sql of [reserveSql, reserveSql, settleSql, settleSql]) {
      pages.push(await pagesOf(sql, [me.accountId, taskId, 10]));
    }
    return pages;
  }

  it('read as few pages of large ones, before and after statistics are gathered', async () => {
    const before = await sumsOf(one, me);
    expect(Math.max(...(await life()))).toBeLessThan(MAX_PAGES);
    await db.owner.query('vacuum analyze jobs.ledger, jobs.balance');
    // Statistics end the plans: the next calls read catalogs to make new ones.
    await life();
    expect(Math.max(...(await life()))).toBeLessThan(MAX_PAGES);
    expect(await sumsOf(one, me)).toMatchObject({ charged: before.charged + 30 });
  });

  it('read of the check one part alone', async () => {
    await service.query(snapshotSql);
    const all = (
      await db.owner.query<{ pages: number }>(
        `select relpages as pages from pg_class where oid = 'jobs.ledger'::regclass`,
      )
    ).rows[0]!.pages;
    const { rows } = await service.query<{ 'QUERY PLAN': string }>(`explain ${taskEntriesSql(newUuid())}`);
    await service.query('rollback');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using ledger_task/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
    expect(all).toBeGreaterThan(PART_TASK_ENTRIES / 10);
  });
});
