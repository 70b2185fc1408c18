import { Inject, Injectable } from '@nestjs/common';
import { TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import { TaskEnds } from '../follow-task/task-ends.js';
import type { ProxyTask } from '../keep-tasks/task.js';

/** In credits. */
interface Shortfall {
  readonly required: number;
  readonly balance: number;
}

/** Takes the price of a task from the balance before its vendor is called. */
@Injectable()
export class PriceReserve {
  constructor(
    private readonly ends: TaskEnds,
    @Inject(TASK_CREDITS_PORT) private readonly credits: TaskCreditsPort,
  ) {}

  /** Null: reserved, also by an earlier call. Otherwise the balance does not cover the price, and the task is over. */
  async reserve(task: Pick<ProxyTask, 'accountId' | 'taskId' | 'price'>): Promise<Shortfall | null> {
    const { accountId, taskId, price: amount } = task;
    if (amount === 0) return null;
    const answer = await this.credits.reserve({ accountId, taskId, amount });
    if (!answer.ok) throw new Error(`the price of task ${taskId} was not reserved: ${answer.rejection.message}`);
    if (answer.value.kind === 'reserved') return null;
    await this.ends.failUncovered(task);
    const { required, balance } = answer.value;
    return { required, balance };
  }
}
