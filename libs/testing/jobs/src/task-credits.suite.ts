import { MAX_TASK_CREDITS, newUuid } from '@heddle/contracts-messages';
import type { AccountId, Answer, TaskCreditsPort, TaskId } from '@heddle/contracts-messages';
import { beforeEach, describe, expect, it } from 'vitest';

/** A ledger, or what stands for one. */
export interface TaskCreditsUnderTest {
  readonly credits: TaskCreditsPort;
  grant(accountId: AccountId, amount: number): Promise<void>;
  /** 0 for an account without entries. */
  balanceOf(accountId: AccountId): Promise<number>;
}

const someTask = (): TaskId => newUuid() as TaskId;
const outcomeOf = (answer: Answer<{ readonly kind: string }>): string =>
  answer.ok ? answer.value.kind : answer.rejection.code;
const fieldsOf = (answer: Answer<unknown>): unknown => (answer.ok ? answer : answer.rejection.details!['fields']);

/** Conformance suite of TaskCreditsPort. */
export function describeTaskCredits(name: string, open: () => TaskCreditsUnderTest): void {
  describe(`the credits of tasks of ${name}`, () => {
    let under: TaskCreditsUnderTest;
    beforeEach(() => {
      under = open();
    });

    async function funded(amount: number): Promise<AccountId> {
      const accountId = newUuid() as AccountId;
      await under.grant(accountId, amount);
      return accountId;
    }

    it('are reserved once and settled once, and repeats are answered as the first call', async () => {
      const accountId = await funded(100);
      const task = { accountId, taskId: someTask() };
      const reserved = { ok: true, value: { kind: 'reserved', reserved: 60 } };
      const settled = { ok: true, value: { kind: 'settled', charged: 20, returned: 40 } };
      for (let n = 0; n < 2; n += 1) expect(await under.credits.reserve({ ...task, amount: 60 })).toEqual(reserved);
      expect(await under.balanceOf(accountId)).toBe(40);
      for (let n = 0; n < 2; n += 1) expect(await under.credits.settle({ ...task, charged: 20 })).toEqual(settled);
      expect(await under.credits.reserve({ ...task, amount: 60 })).toEqual(reserved);
      expect(await under.balanceOf(accountId)).toBe(80);
    });

    it('are not reserved where the balance does not cover them, and nothing changes', async () => {
      const accountId = await funded(10);
      const uncovered = { ok: true, value: { kind: 'uncovered', required: 11, balance: 10 } };
      const task = { accountId, taskId: someTask() };
      expect(await under.credits.reserve({ ...task, amount: 11 })).toEqual(uncovered);
      expect(await under.balanceOf(accountId)).toBe(10);
      const stranger = newUuid() as AccountId;
      const strange = await under.credits.reserve({ accountId: stranger, taskId: someTask(), amount: 1 });
      expect(outcomeOf(strange)).toBe('uncovered');
      expect(outcomeOf(await under.credits.reserve({ ...task, amount: 10 }))).toBe('reserved');
    });

    it('are refused by the name of the field where the ledger has other values of the task', async () => {
      const [accountId, other] = [await funded(100), await funded(100)];
      const task = { accountId, taskId: someTask() };
      const { taskId } = task;
      await under.credits.reserve({ ...task, amount: 60 });
      expect(fieldsOf(await under.credits.reserve({ ...task, amount: 61 }))).toEqual({
        amount: `must be 60, which task ${taskId} has reserved`,
      });
      expect(fieldsOf(await under.credits.reserve({ taskId, accountId: other, amount: 60 }))).toEqual({
        account_id: `must be the account that reserved for task ${taskId}`,
      });
      expect(fieldsOf(await under.credits.settle({ ...task, charged: 61 }))).toEqual({
        charged: `must be at most 60, which task ${taskId} has reserved`,
      });
      await under.credits.settle({ ...task, charged: 60 });
      expect(fieldsOf(await under.credits.settle({ ...task, charged: 0 }))).toEqual({
        charged: `must be 60, which task ${taskId} was settled with`,
      });
      expect([await under.balanceOf(accountId), await under.balanceOf(other)]).toEqual([40, 100]);
    });

    it('are settled only for the account that reserved them', async () => {
      const task = { accountId: await funded(100), taskId: someTask() };
      expect(outcomeOf(await under.credits.settle({ ...task, charged: 0 }))).toBe('nothing_reserved');
      await under.credits.reserve({ ...task, amount: 1 });
      const another = { ...task, accountId: await funded(1) };
      expect(outcomeOf(await under.credits.settle({ ...another, charged: 0 }))).toBe('nothing_reserved');
    });

    it.each([-1, 0.5, MAX_TASK_CREDITS + 1, Number.NaN, Number.POSITIVE_INFINITY])('are not %d', async (sum) => {
      const task = { accountId: await funded(100), taskId: someTask() };
      expect(outcomeOf(await under.credits.reserve({ ...task, amount: sum }))).toBe('invalid_request');
      expect(outcomeOf(await under.credits.reserve({ ...task, amount: 0 }))).toBe('invalid_request');
      await under.credits.reserve({ ...task, amount: 100 });
      expect(outcomeOf(await under.credits.settle({ ...task, charged: sum }))).toBe('invalid_request');
    });
  });
}
