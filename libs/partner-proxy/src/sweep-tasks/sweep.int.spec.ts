import { randomUUID } from 'node:crypto';
import type { TaskId } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ACCOUNTS, TestProxy } from '../partner-proxy.fixture.js';
import { TaskCreditsFake } from '@heddle/testing-jobs';
import { ProxySweepLoop } from './sweep-loop.js';
import { TaskSweep } from './task-sweep.js';

const PRICE = 174;
const ledger = new TaskCreditsFake(1_000_000);
const accountId = ACCOUNTS['key-ann'];
let proxy: TestProxy;
beforeAll(async () => {
  proxy = await TestProxy.open({}, ledger);
});
afterAll(() => proxy.close());

/** A task as a process left it that ended at this step an hour ago; `reserved`: the ledger knows it. */
async function left(
  step: string,
  state: string,
  reserved: boolean,
  vendorTaskId: string | null = null,
): Promise<TaskId> {
  const taskId = randomUUID() as string as TaskId;
  const sql = `
    insert into partner_proxy.task
      (task_id, account_id, vendor, step, state, price, callback_token, vendor_task_id, created_at, step_at)
    values ($1, $2, 'video', $3, $4, $5, $6, $7, now() - interval '1 hour', now() - interval '1 hour')`;
  const token = taskId.replaceAll('-', '');
  const values = [taskId, accountId, step, state, PRICE, token, vendorTaskId];
  await proxy.database.pool('heddle_registry').query(sql, values);
  if (reserved) await ledger.reserve({ accountId, taskId, amount: PRICE });
  return taskId;
}

describe('the sweep', () => {
  it.each<[string, string, boolean, string, number]>([
    ['reserving', 'created', false, 'failed', 0],
    ['reserving', 'created', true, 'failed', 0],
    ['calling', 'created', true, 'failed', 0],
    ['settling', 'success', true, 'success', PRICE],
    ['settling', 'failed', true, 'failed', 0],
  ])('settles a task once that was left %s, %s, reserved %s', async (step, state, reserved, end, charged) => {
    const before = ledger.balanceOf(accountId);
    const taskId = await left(step, state, reserved);
    await Promise.all([proxy.sweep(), proxy.sweep()]);
    await proxy.sweep();
    expect((await proxy.readVideo(taskId)).body).toMatchObject({ state: end });
    expect(ledger.charged.get(taskId)).toBe(charged);
    expect(ledger.balanceOf(accountId)).toBe(before - charged);
  });

  it('ends a task that the vendor has forgotten, without a charge', async () => {
    const taskId = await left('under_way', 'processing', true, 'forgotten');
    await proxy.sweep();
    expect((await proxy.readVideo(taskId)).body).toMatchObject({ state: 'failed', err_code: 'vendor_failed' });
    expect(ledger.charged.get(taskId)).toBe(0);
  });

  it('ends a task whose time is over', async () => {
    const short = await TestProxy.open({ taskMs: 60_000 });
    const kept = proxy;
    proxy = short;
    const taskId = await left('under_way', 'processing', true, 'whatever');
    await short.sweep();
    expect((await short.readVideo(taskId)).body).toMatchObject({ state: 'failed', err_code: 'expired' });
    proxy = kept;
    await short.close();
  });

  it('is not needed to end a task whose time is over and whose client goes on asking', async () => {
    const short = await TestProxy.open({ taskMs: 60_000 });
    const kept = proxy;
    proxy = short;
    const taskId = await left('under_way', 'processing', true, 'whatever');
    expect((await short.readVideo(taskId)).body).toMatchObject({ state: 'failed', err_code: 'expired' });
    proxy = kept;
    await short.close();
  });

  it('comes to every task, also if the oldest are due again before it has', async () => {
    const many = await TestProxy.open();
    onTestFinished(() => many.close());
    await many.app.get(ProxySweepLoop).stop();
    const { owner } = many.database;
    // The vendor has forgotten them all.
    await owner.query(
      `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token, vendor_task_id, created_at, step_at)
       select gen_random_uuid(), $1, 'video', 'under_way', 'processing', 0, md5(n::text), 'many-' || n,
         now() - interval '1 hour' + n * interval '1 second', now() - interval '1 hour' from generate_series(1, 1001) n`,
      [accountId],
    );
    const ended = async (): Promise<number> =>
      (await owner.query(`select from partner_proxy.task where step = 'over'`)).rowCount!;
    // After each look its tasks are due again, as if it had taken longer than a poll may wait.
    const dueAgain = `update partner_proxy.task set step = 'under_way', state = 'processing', polled_at = null,
      step_at = now() - interval '1 hour' where step = 'over'`;
    const looks: [boolean, number][] = [];
    for (let look = 0; look < 4; look += 1) {
      looks.push([await many.app.get(TaskSweep).run(), await ended()]);
      await owner.query(dueAgain);
    }
    expect(looks).toEqual([
      [true, 500],
      [true, 500],
      [false, 1],
      [true, 500],
    ]);
  }, 60_000);

  it('is not needed while a request is at work', async () => {
    const { body } = await proxy.video();
    await proxy.sweep();
    expect((await proxy.readVideo(body.task_id)).body.state).not.toBe('failed');
  });
});
