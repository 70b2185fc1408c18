import type { TaskId } from '@heddle/contracts-messages';
import { TaskCreditsFake } from '@heddle/testing-jobs';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteVendorSql } from '../keep-tasks/task-rows.sql.js';
import { TestProxy } from '../partner-proxy.fixture.js';
import { PROXY_POOL } from '../proxy-pool.js';

const ledger = new TaskCreditsFake(1_000_000);
let proxy: TestProxy;
/** What becomes of the next statements that note a vendor's id. */
const fates: ('answer lost' | 'never arrives')[] = [];

beforeAll(async () => {
  proxy = await TestProxy.open({ taskMs: 50_000 }, ledger);
  const pool = proxy.app.get<Pool>(PROXY_POOL);
  const query = pool.query.bind(pool) as (sql: unknown, values?: unknown) => Promise<unknown>;
  const away = async (sql: unknown, values?: unknown): Promise<unknown> => {
    const fate = sql === noteVendorSql ? fates.shift() : undefined;
    if (fate === 'never arrives') throw new Error('the database is away');
    const answer = await query(sql, values);
    if (fate === 'answer lost') throw new Error('Query read timeout');
    return answer;
  };
  pool.query = away as Pool['query'];
});
afterAll(() => proxy.close());

async function paid(taskId: TaskId): Promise<number> {
  // A callback that comes before the vendor's id is noted counts for nothing: the sweep asks 15 s later.
  await expect.poll(() => ledger.charged.has(taskId), { timeout: 40_000 }).toBe(true);
  return ledger.charged.get(taskId)!;
}

it('answers with the id of a task that was noted, although the answer to that was lost', async () => {
  fates.push('answer lost');
  const { status, body } = await proxy.video();
  expect(status).toBe(200);
  expect(await paid(body.task_id as TaskId)).toBeGreaterThan(0);
});

it('notes the id once the database is there again', async () => {
  fates.push('never arrives', 'never arrives');
  const { status, body } = await proxy.video();
  expect(status).toBe(200);
  expect(await paid(body.task_id as TaskId)).toBeGreaterThan(0);
});

it('answers with the id of a task that is never noted, which then fails and costs nothing', async () => {
  fates.push('never arrives', 'never arrives', 'never arrives');
  const { status, body } = await proxy.video();
  expect(status).toBe(200);
  await proxy.database.advanceClock(60_000);
  await proxy.until(
    () => proxy.readVideo(body.task_id as string),
    ({ state }) => state === 'failed',
  );
  expect(await paid(body.task_id as TaskId)).toBe(0);
});
