import { randomUUID } from 'node:crypto';
import { inTransaction } from '@heddle/platform-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS, TestProxy } from '../partner-proxy.fixture.js';
import { TaskPurge } from './task-purge.js';

const RETENTION_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
const account = ACCOUNTS['key-ann'];
let proxy: TestProxy;
beforeAll(async () => {
  proxy = await TestProxy.open({ retentionMs: RETENTION_MS });
});
afterAll(() => proxy.close());

interface Left {
  readonly step?: string;
  readonly agoMs: number;
  readonly vendorTaskId?: string | null;
  readonly delivery?: 'waiting' | 'delivered' | 'dead';
}

/** A task whose last step was so long ago, with a payload and perhaps a delivery. */
async function left({ step = 'over', agoMs, vendorTaskId = 'vt', delivery }: Left): Promise<string> {
  const taskId = randomUUID();
  // Whole, because the sweeps of the proxy run meanwhile and purge a task that is committed.
  await inTransaction(proxy.database.owner, async (client) => {
    await client.query(
      `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token, vendor_task_id, step_at)
       values ($1, $2, 'video', $3, 'success', 1, $4, $5, heddle.clock_now() - $6::float8 * interval '1 millisecond')`,
      [taskId, account, step, taskId.replaceAll('-', ''), vendorTaskId, agoMs],
    );
    await client.query(`insert into partner_proxy.payload (task_id, payload) values ($1, 'x')`, [taskId]);
    if (delivery !== undefined) {
      await client.query(
        `insert into partner_proxy.delivery (delivery_id, task_id, account_id, url, body, status, next_at)
         values (gen_random_uuid(), $1, $2, 'https://hooks.example.com/', '{}', $3, now() + interval '1 day')`,
        [taskId, account, delivery],
      );
    }
  });
  return taskId;
}

/** Rows of the task: of its own, of its payload and of its deliveries. */
async function rowsOf(taskId: string): Promise<number> {
  const sql = `
    select (select count(*) from partner_proxy.task where task_id = $1)
      + (select count(*) from partner_proxy.payload where task_id = $1)
      + (select count(*) from partner_proxy.delivery where task_id = $1) as n`;
  return Number((await proxy.database.owner.query<{ n: string }>(sql, [taskId])).rows[0]!.n);
}

async function purge(): Promise<void> {
  await proxy.app.get(TaskPurge).run();
}

describe('the purge', () => {
  it.each<[string, Left, number]>([
    ['a task past its retention', { agoMs: RETENTION_MS + 1_000 }, 0],
    ['with what was delivered', { agoMs: RETENTION_MS + 1_000, delivery: 'delivered' }, 0],
    ['with its dead letters', { agoMs: RETENTION_MS + 1_000, delivery: 'dead' }, 0],
    ['not one that still has a callback to deliver', { agoMs: RETENTION_MS + 1_000, delivery: 'waiting' }, 3],
    ['not a younger one', { agoMs: RETENTION_MS - HOUR_MS, delivery: 'dead' }, 3],
    ['not one that is not settled, however old', { step: 'settling', agoMs: 10 * RETENTION_MS }, 2],
    ['a task of which no client knows, after a day', { agoMs: 25 * HOUR_MS, vendorTaskId: null }, 0],
    ['not before', { agoMs: 23 * HOUR_MS, vendorTaskId: null }, 2],
  ])('deletes %s', async (_name, task, rows) => {
    const taskId = await left(task);
    await purge();
    expect(await rowsOf(taskId)).toBe(rows);
  });

  it('leaves an id that is unknown, like every other one', async () => {
    const { body } = await proxy.video();
    await proxy.until(
      () => proxy.readVideo(body.task_id),
      ({ state }) => state === 'success',
    );
    await proxy.sweep();
    await proxy.database.advanceClock(RETENTION_MS + 1_000);
    await purge();
    const unknown = await proxy.readVideo(randomUUID());
    expect(await proxy.readVideo(body.task_id)).toMatchObject({ status: 404, text: unknown.text });
  });

  it('deletes more than a statement takes', async () => {
    await proxy.database.owner.query(
      `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token, step_at)
       select gen_random_uuid(), $1, 'image', 'over', 'failed', 1, md5(n::text), now() - interval '1 year'
       from generate_series(1, 1200) n`,
      [account],
    );
    await purge();
    const sql = `select count(*)::int as n from partner_proxy.task where vendor = 'image'`;
    expect((await proxy.database.owner.query<{ n: number }>(sql)).rows[0]!.n).toBe(0);
  });

  it('deletes nonces and keys that can refuse nothing any more', async () => {
    const { owner } = proxy.database;
    await owner.query(
      `insert into partner_proxy.vendor_nonce (vendor, nonce, seen_at) values
         ('video', 'old', heddle.clock_now() - interval '12 minutes'), ('video', 'new', heddle.clock_now() - interval '10 minutes')`,
    );
    await owner.query(
      `insert into partner_proxy.idempotency_key (account_id, operation, key, task_id, claimed_at) values
         ($1, 'upscale', 'old', $2, heddle.clock_now() - interval '25 hours'),
         ($1, 'upscale', 'new', $2, heddle.clock_now() - interval '23 hours')`,
      [account, randomUUID()],
    );
    await purge();
    const kept = async (column: string, table: string): Promise<readonly object[]> =>
      (await owner.query<object>(`select ${column} as kept from partner_proxy.${table}`)).rows;
    expect(await kept('nonce', 'vendor_nonce')).toEqual([{ kept: 'new' }]);
    expect(await kept('key', 'idempotency_key')).toEqual([{ kept: 'new' }]);
  });
});
