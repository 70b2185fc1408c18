import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, TaskId } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { NO_TASK_CREDITS } from './task-credits.js';

describe('the credits of tasks on a surface without credits', () => {
  const task = { accountId: newUuid() as AccountId, taskId: newUuid() as TaskId };

  it('are told by the price of the task, and never taken', async () => {
    const port = NO_TASK_CREDITS;
    expect(await port.reserve({ ...task, amount: 7 })).toEqual({ ok: true, value: { kind: 'reserved', reserved: 0 } });
    expect(await port.settle({ ...task, charged: 7 })).toEqual({
      ok: true,
      value: { kind: 'settled', charged: 0, returned: 0 },
    });
  });
});
