import { Injectable } from '@nestjs/common';
import type { TaskId } from '@heddle/contracts-messages';
import { VendorFaultError } from '../call-vendors/vendor-fault.js';
import type { ProxyTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { ProxyLogger } from '../proxy-logger.js';
import { PartnerProxySettings } from '../settings.js';
import { LeftTask } from './left-task.js';

/** No client has asked about a task for so long: the sweep asks. */
const POLL_MS = 15_000;
/** Beyond the time-out of a call: then no caller waits for it any more. */
const STUCK_AFTER_TIMEOUT_MS = 5_000;
/** Tasks of one look. */
const BATCH = 500;
const AT_ONCE = 8;

/** Goes on where another process stopped, and asks the vendor about tasks that no client asks about. */
@Injectable()
export class TaskSweep {
  /** The oldest tasks are due again before a look has come to the newest: each look goes on behind the one before. */
  #after: TaskId | null = null;

  constructor(
    private readonly tasks: Tasks,
    private readonly left: LeftTask,
    private readonly settings: PartnerProxySettings,
    private readonly logger: ProxyLogger,
  ) {}

  /** One look. True: there may be more behind it. Null: the clock is not trusted, and nothing ends by its age. */
  async run(trustedUntilMs: number | null = Infinity): Promise<boolean> {
    const { timeoutMs, pollMs, taskMs } = this.settings;
    const polledMs = Math.max(POLL_MS, pollMs);
    const stuckMs = timeoutMs + STUCK_AFTER_TIMEOUT_MS;
    const ages = { stuckMs, taskMs, trustedUntilMs };
    const left = await this.tasks.left({ polledMs, ...ages, limit: BATCH, after: this.#after });
    const waiting = [...left];
    const work = async (): Promise<void> => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await this.#goOn(task);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    this.#after = left.length === BATCH ? left.at(-1)!.taskId : null;
    return this.#after !== null;
  }

  /** One task that cannot go on holds up no other. */
  async #goOn(task: ProxyTask): Promise<void> {
    try {
      await this.left.goOn(task);
    } catch (error) {
      if (error instanceof VendorFaultError) return;
      this.logger.error('a task could not go on: it is tried again', error);
    }
  }
}
