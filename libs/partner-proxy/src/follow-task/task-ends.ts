import { Inject, Injectable } from '@nestjs/common';
import { TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import { chargedFor } from '@heddle/partner-proxy-domain';
import type { TaskStep } from '@heddle/partner-proxy-domain';
import { proxyFailpoint } from '../failpoints.js';
import type { ProxyTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { ProxyMetrics } from '../proxy-metrics.js';

/** Where a task ends: its end is decided once, in its row, then settled. */
@Injectable()
export class TaskEnds {
  constructor(
    private readonly tasks: Tasks,
    @Inject(TASK_CREDITS_PORT) private readonly credits: TaskCreditsPort,
    private readonly metrics: ProxyMetrics,
  ) {}

  /** A failure of which nobody is told by a callback: the client has no id of the task, or its request has failed. */
  async failQuietly(task: ProxyTask | Pick<ProxyTask, 'taskId' | 'accountId'>, errCode: string): Promise<void> {
    const open: readonly TaskStep[] = ['reserving', 'calling'];
    const report = { state: 'failed', errCode, creations: [] } as const;
    const ended = await this.tasks.change(task, report, ({ step }) => (open.includes(step) ? 'settling' : null), null);
    if (ended !== null) await this.settle(ended);
  }

  /** The second half of an end, which may be repeated: the ledger settles a task once. */
  async settle(task: ProxyTask): Promise<void> {
    proxyFailpoint('proxy.task.ended');
    const { taskId, accountId, price, state, vendor } = task;
    if (price > 0) {
      const settled = await this.credits.settle({ taskId, accountId, charged: chargedFor(state, price) });
      // Nothing was reserved: the process ended before, or the balance did not cover it.
      if (!settled.ok && settled.rejection.code !== 'not_found') throw new Error(settled.rejection.message);
    }
    proxyFailpoint('proxy.task.settled');
    if (await this.tasks.advance(task, 'settling', 'over')) this.metrics.ended(vendor, state);
  }
}
