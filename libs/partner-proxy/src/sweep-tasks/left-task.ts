import { Inject, Injectable } from '@nestjs/common';
import { TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import { TaskEnds } from '../follow-task/task-ends.js';
import { TaskFollower } from '../follow-task/task-follower.js';
import type { ProxyTask } from '../keep-tasks/task.js';

/** Goes on with a task from the step at which another process left it. */
@Injectable()
export class LeftTask {
  constructor(
    private readonly ends: TaskEnds,
    private readonly follower: TaskFollower,
    @Inject(TASK_CREDITS_PORT) private readonly credits: TaskCreditsPort,
  ) {}

  async goOn(task: ProxyTask): Promise<void> {
    switch (task.step) {
      case 'reserving': {
        // A reserve may be on its way still: after this one, which has the same answer, the ledger knows the task.
        const { accountId, taskId, price: amount } = task;
        const reserved = amount === 0 ? null : await this.credits.reserve({ accountId, taskId, amount });
        if (reserved?.ok === false) return await this.ends.failUnreserved(task);
        return await this.ends.failQuietly(task, { at: 'reserving', errCode: 'interrupted', freesKey: true });
      }
      case 'calling':
        return await this.ends.failQuietly(task, { at: 'calling', errCode: 'interrupted', freesKey: false });
      case 'under_way':
        return void (await this.follower.current(task));
      case 'settling':
        return await this.ends.settle(task);
      case 'over':
    }
  }
}
