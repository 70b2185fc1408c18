import { randomUUID } from 'node:crypto';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PARTNER_PROXY_MIGRATIONS } from './proxy-schema/proxy-migrations.js';
import { leftWorkSql } from './left-work.sql.js';

const DAY_MS = 86_400_000;
const RETENTION_MS = 30 * DAY_MS;

describe('work for which the proxy is opened without a request', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase({ migrations: [PARTNER_PROXY_MIGRATIONS] });
  });
  afterAll(() => database.drop());
  afterEach(() => database.owner.query('truncate partner_proxy.task cascade'));

  const isLeft = async (): Promise<boolean> =>
    (await database.pool('heddle_registry').query(leftWorkSql, [RETENTION_MS])).rowCount === 1;
  /** A task whose last step was so long ago. */
  const task = async (step: string, vendorTaskId: string | null, agoMs = 0): Promise<string> => {
    const taskId = randomUUID();
    await database.owner.query(
      `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token, vendor_task_id, step_at)
       values ($1::uuid, $1::uuid, 'video', $2, 'failed', 1, md5($1::uuid::text), $3, heddle.clock_now() - $4::float8 * interval '1 millisecond')`,
      [taskId, step, vendorTaskId, agoMs],
    );
    return taskId;
  };
  const delivery = async (taskId: string, status: string): Promise<void> => {
    const sql = `insert into partner_proxy.delivery (delivery_id, task_id, account_id, url, body, status)
      values ($1, $1, $1, 'https://hooks.example.com/', '{}', $2)`;
    await database.owner.query(sql, [taskId, status]);
  };

  it('is none without tasks', async () => {
    expect(await isLeft()).toBe(false);
  });

  it.each(['reserving', 'calling', 'under_way', 'settling'])('is a task at the step %s', async (step) => {
    await task(step, null);
    expect(await isLeft()).toBe(true);
  });

  it('is a task that a vendor took, past its retention', async () => {
    await task('over', 'v-1', RETENTION_MS - DAY_MS);
    expect(await isLeft()).toBe(false);
    await task('over', 'v-2', RETENTION_MS + DAY_MS);
    expect(await isLeft()).toBe(true);
  });

  it('is no task whose creation failed, however long ago', async () => {
    await task('over', null, 2 * DAY_MS);
    await task('over', null, 2 * RETENTION_MS);
    expect(await isLeft()).toBe(false);
  });

  it('is a callback that waits, and none that is delivered or dead', async () => {
    await delivery(await task('over', 'v-1'), 'delivered');
    await delivery(await task('over', 'v-2'), 'dead');
    expect(await isLeft()).toBe(false);
    await delivery(await task('over', 'v-3'), 'waiting');
    expect(await isLeft()).toBe(true);
  });
});
