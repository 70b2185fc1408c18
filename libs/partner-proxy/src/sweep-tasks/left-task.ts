import { Injectable } from '@nestjs/common';
import { TaskEnds } from '../follow-task/task-ends.js';
import { TaskFollower } from '../follow-task/task-follower.js';
import type { ProxyTask } from '../keep-tasks/task.js';
import { PriceReserve } from '../reserve-price/price-reserve.js';

/** Goes on with a task from the step at which another process left it. */
@Injectable()
export class LeftTask {
  constructor(
    private readonly ends: TaskEnds,
    private readonly follower: TaskFollower,
    private readonly prices: PriceReserve,
  ) {}

  async goOn(task: ProxyTask): Promise<void> {
    switch (task.step) {
      case 'reserving':
        // A reserve may be on its way still: after this one, which has the same answer, the ledger knows the task.
        if ((await this.prices.reserve(task)) !== null) return;
        return await this.ends.failQuietly(task, { event: 'interrupted', errCode: 'interrupted', freesKey: true });
      case 'calling':
        return await this.ends.failQuietly(task, { event: 'call_failed', errCode: 'interrupted', freesKey: false });
      case 'under_way':
        return void (await this.follower.current(task));
      case 'settling':
        return await this.ends.settle(task);
      case 'over':
    }
  }
}
