import { MAX_TASK_CREDITS, newUuid } from '@heddle/contracts-messages';
import type { AccountId, Answer, CreditsPort, TaskCreditsPort, TaskId } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';

const someTask = (): TaskId => newUuid() as TaskId;
const codeOf = (answer: Answer<unknown>): string => (answer.ok ? 'accepted' : answer.rejection.code);

/** TaskCreditsPort, directly and over gRPC */
export function itTakesCreditsOfTasks(port: () => TaskCreditsPort, credits: () => CreditsPort): void {
  async function funded(amount: number): Promise<AccountId> {
    const accountId = newUuid() as AccountId;
    await credits().grant(accountId, { amount, note: null });
    return accountId;
  }

  it('reserves once and settles once, and answers repeats as the first call', async () => {
    const accountId = await funded(100);
    const task = { accountId, taskId: someTask() };
    const reserved = { ok: true, value: { reserved: 60 } };
    const settled = { ok: true, value: { charged: 20, returned: 40 } };
    for (let n = 0; n < 2; n += 1) expect(await port().reserve({ ...task, amount: 60 })).toEqual(reserved);
    for (let n = 0; n < 2; n += 1) expect(await port().settle({ ...task, charged: 20 })).toEqual(settled);
    expect(await port().reserve({ ...task, amount: 60 })).toEqual(reserved);
    expect(await credits().show(accountId)).toEqual({
      balance: 80,
      reserved: 0,
      granted: 100,
      charged: 20,
      withdrawn: 0,
    });
    const { taskId } = task;
    expect(await credits().ledger(accountId, { after: null, limit: 10 })).toMatchObject([
      { kind: 'grant', jobId: null, taskId: null },
      { kind: 'reserve', amount: -60, balance: 40, jobId: null, taskId, charged: null },
      { kind: 'settle', amount: 40, balance: 80, jobId: null, taskId, charged: 20 },
    ]);
  });

  it('refuses what the balance does not pay for, and changes nothing', async () => {
    const accountId = await funded(10);
    const insufficient = {
      ok: false,
      rejection: { code: 'insufficient_credits', details: { required: 11, balance: 10 } },
    };
    const task = { accountId, taskId: someTask() };
    expect(await port().reserve({ ...task, amount: 11 })).toMatchObject(insufficient);
    expect(await credits().ledger(accountId, { after: null, limit: 10 })).toHaveLength(1);
    const stranger = newUuid() as AccountId;
    expect(codeOf(await port().reserve({ accountId: stranger, taskId: someTask(), amount: 1 }))).toBe(
      'insufficient_credits',
    );
    expect(codeOf(await port().reserve({ ...task, amount: 10 }))).toBe('accepted');
  });

  it('refuses other values for a task that it has, and names the field', async () => {
    const [accountId, other] = [await funded(100), await funded(100)];
    const task = { accountId, taskId: someTask() };
    await port().reserve({ ...task, amount: 60 });
    const fieldsOf = (answer: Answer<unknown>): unknown => (answer.ok ? answer : answer.rejection.details!['fields']);
    const { taskId } = task;
    expect(fieldsOf(await port().reserve({ ...task, amount: 61 }))).toEqual({
      amount: `must be 60, which task ${taskId} has reserved`,
    });
    expect(fieldsOf(await port().reserve({ taskId, accountId: other, amount: 60 }))).toEqual({
      account_id: `must be the account that reserved for task ${taskId}`,
    });
    expect(fieldsOf(await port().settle({ ...task, charged: 61 }))).toEqual({
      charged: `must be at most 60, which task ${taskId} has reserved`,
    });
    await port().settle({ ...task, charged: 60 });
    expect(fieldsOf(await port().settle({ ...task, charged: 0 }))).toEqual({
      charged: `must be 60, which task ${taskId} was settled with`,
    });
    expect(await credits().show(accountId)).toMatchObject({ balance: 40, reserved: 0, charged: 60 });
    expect(await credits().show(other)).toMatchObject({ balance: 100 });
  });

  it('settles only what its account reserved', async () => {
    const task = { accountId: await funded(100), taskId: someTask() };
    expect(codeOf(await port().settle({ ...task, charged: 0 }))).toBe('not_found');
    await port().reserve({ ...task, amount: 1 });
    expect(codeOf(await port().settle({ ...task, accountId: await funded(1), charged: 0 }))).toBe('not_found');
  });

  it.each([-1, 0.5, MAX_TASK_CREDITS + 1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the sum %d', async (sum) => {
    const task = { accountId: await funded(100), taskId: someTask() };
    expect(codeOf(await port().reserve({ ...task, amount: sum }))).toBe('invalid_request');
    expect(codeOf(await port().reserve({ ...task, amount: 0 }))).toBe('invalid_request');
    await port().reserve({ ...task, amount: 100 });
    expect(codeOf(await port().settle({ ...task, charged: sum }))).toBe('invalid_request');
  });
}
