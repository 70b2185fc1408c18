import { Inject, Injectable } from '@nestjs/common';
import { TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import { VendorFaultError } from '../call-vendors/vendor-fault.js';
import { TaskEnds } from '../follow-task/task-ends.js';
import { TaskFollower } from '../follow-task/task-follower.js';
import type { ProxyTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { ProxyLogger } from '../proxy-logger.js';
import { ProxyMetrics } from '../proxy-metrics.js';
import { PartnerProxySettings } from '../settings.js';

/** Nobody asked about a task for so long: the sweep does. */
const POLL_MS = 15_000;
/** Beyond the time-out of a call: then nobody waits for it any more. */
const STUCK_AFTER_TIMEOUT_MS = 5_000;
/** Tasks of one look: the rest waits for the next one. */
const BATCH = 500;
const AT_ONCE = 8;

/** Goes on where another process stopped, and asks the vendor about tasks that nobody asks about. */
@Injectable()
export class TaskSweep {
  @Inject(PartnerProxySettings) private readonly settings!: PartnerProxySettings;
  @Inject(ProxyMetrics) private readonly metrics!: ProxyMetrics;
  @Inject(ProxyLogger) private readonly logger!: ProxyLogger;

  constructor(
    private readonly tasks: Tasks,
    private readonly ends: TaskEnds,
    private readonly follower: TaskFollower,
    @Inject(TASK_CREDITS_PORT) private readonly credits: TaskCreditsPort,
  ) {}

  async run(): Promise<void> {
    const { timeoutMs, pollMs, taskMs } = this.settings;
    await this.tasks.forgetKeys();
    const polledMs = Math.max(POLL_MS, pollMs);
    const stuckMs = timeoutMs + STUCK_AFTER_TIMEOUT_MS;
    const left = await this.tasks.left({ polledMs, stuckMs, taskMs, limit: BATCH });
    const waiting = [...left];
    const work = async (): Promise<void> => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await this.#goOn(task);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** One task that cannot go on holds up no other. */
  async #goOn(task: ProxyTask): Promise<void> {
    try {
      await this.#step(task);
    } catch (error) {
      if (error instanceof VendorFaultError) return;
      this.logger.error('a task could not go on: it is tried again', error);
    }
  }

  async #step(task: ProxyTask): Promise<void> {
    switch (task.step) {
      case 'reserving': {
        // A reserve may be on its way still: after this one, which has the same answer, the ledger knows the task.
        const { accountId, taskId, price: amount } = task;
        const reserved = amount === 0 ? null : await this.credits.reserve({ accountId, taskId, amount });
        if (reserved?.ok === false) return await this.ends.failUnreserved(task);
        return void (await this.ends.failQuietly(task, { at: 'reserving', errCode: 'interrupted', freesKey: true }));
      }
      case 'calling':
        if (await this.ends.failQuietly(task, { at: 'calling', errCode: 'interrupted', freesKey: false }))
          this.metrics.lost(task.vendor);
        return;
      case 'under_way':
        return void (await this.follower.current(task));
      case 'settling':
        return await this.ends.settle(task);
      case 'over':
    }
  }
}
