import { randomUUID } from 'node:crypto';
import type { TaskId } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS, TestProxy } from '../partner-proxy.fixture.js';
import { TaskCreditsFake } from '@heddle/testing-jobs';

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
    const before = ledger.balance;
    const taskId = await left(step, state, reserved);
    await Promise.all([proxy.sweep(), proxy.sweep()]);
    await proxy.sweep();
    expect((await proxy.readVideo(taskId)).body).toMatchObject({ state: end });
    expect(ledger.charged.get(taskId)).toBe(charged);
    expect(ledger.balance).toBe(before - charged);
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

  it('is not needed while a request is at work', async () => {
    const { body } = await proxy.video();
    await proxy.sweep();
    expect((await proxy.readVideo(body.task_id)).body.state).not.toBe('failed');
  });
});
