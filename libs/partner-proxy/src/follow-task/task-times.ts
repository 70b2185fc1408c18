import { Injectable } from '@nestjs/common';
import { SweepClock } from '@heddle/platform-database';
import type { ProxyTask } from '../keep-tasks/task.js';
import { CLOCK_RETURNED_MS } from '../keep-tasks/task-rows.sql.js';
import { PartnerProxySettings } from '../settings.js';

/** What a task's age asks for. */
@Injectable()
export class TaskTimes {
  constructor(
    private readonly clock: SweepClock,
    private readonly settings: PartnerProxySettings,
  ) {}

  /** Minimum time between two calls of the vendor about a task. */
  get pollMs(): number {
    return this.settings.pollMs;
  }

  /** True: the task has had all its time, by a clock that is trusted, and ends. */
  async isOver({ ageMs }: ProxyTask): Promise<boolean> {
    return ageMs >= this.settings.taskMs && (await this.clock.look()) !== null;
  }

  /** A poll in the future was noted by a clock that was ahead. */
  isPollDue({ polledMs }: ProxyTask): boolean {
    return polledMs === null || polledMs >= this.settings.pollMs || polledMs < -CLOCK_RETURNED_MS;
  }
}
