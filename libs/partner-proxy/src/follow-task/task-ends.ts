import { Inject, Injectable } from '@nestjs/common';
import { TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import { chargedFor } from '@heddle/partner-proxy-domain';
import { proxyFailpoint } from '../failpoints.js';
import type { ProxyTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { ProxyLogger } from '../proxy-logger.js';
import { ProxyMetrics } from '../proxy-metrics.js';

type Known = Pick<ProxyTask, 'taskId' | 'accountId'>;

interface QuietFailure {
  readonly event: 'interrupted' | 'call_failed';
  readonly errCode: string;
  /** Whether the vendor has certainly made no task, so that the Idempotency-Key may be used again. */
  readonly freesKey: boolean;
}

/** Where a task ends: its end is decided once, in its row, then settled. */
@Injectable()
export class TaskEnds {
  constructor(
    private readonly tasks: Tasks,
    @Inject(TASK_CREDITS_PORT) private readonly credits: TaskCreditsPort,
    private readonly metrics: ProxyMetrics,
    private readonly logger: ProxyLogger,
  ) {}

  /**
   * A failure that no callback reports: the client has no id of the task, or its request has failed.
   * Another process may have taken the step meanwhile: then nothing changes.
   */
  async failQuietly(task: Known, { event, errCode, freesKey }: QuietFailure): Promise<void> {
    const report = { state: 'failed', errCode, creations: [] } as const;
    const ended = await this.tasks.change(task, report, event, { freesKey });
    if (ended === null) return;
    // The vendor was called and may have made a task.
    if (!freesKey) this.metrics.lost(ended.vendor);
    await this.settleOrLeave(ended);
  }

  /** The end of a task of which the ledger knows nothing: the balance did not cover it. */
  async failUncovered(task: Known): Promise<void> {
    const report = { state: 'failed', errCode: 'insufficient_credits', creations: [] } as const;
    const ended = await this.tasks.change(task, report, 'uncovered', { freesKey: true });
    if (ended !== null) this.metrics.ended(ended.vendor, ended.state);
  }

  /**
   * While the ledger is unreachable, the task waits for the sweep: its end is decided, and the caller gets its answer.
   */
  async settleOrLeave(task: ProxyTask): Promise<void> {
    await this.settle(task).catch((error: unknown) =>
      this.logger.error('the credits of a task were not settled: it is tried again', error),
    );
  }

  /** The second half of an end, which may be repeated: the ledger settles a task once. */
  async settle(task: ProxyTask): Promise<void> {
    proxyFailpoint('proxy.task.ended');
    const { taskId, accountId, price, state, vendor } = task;
    if (price > 0) {
      // Where nothing was reserved, the process ended before, or the balance did not cover it: there is nothing to settle.
      const answer = await this.credits.settle({ taskId, accountId, charged: chargedFor(state, price) });
      if (!answer.ok) throw new Error(answer.rejection.message);
    }
    proxyFailpoint('proxy.task.settled');
    if (await this.tasks.noteSettled(task)) this.metrics.ended(vendor, state);
  }
}
