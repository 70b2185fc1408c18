import type { BackgroundLogger } from '@heddle/platform-database';
import type { BackgroundTask } from './background-task.js';
import type { DeadlineClock } from './enforce-deadlines/deadline-clock.js';
import type { JobsSettings } from './settings.js';

const MIN_INTERVAL_MS = 20;

/**
 * Repeats a task: at once while there is more, otherwise after its interval. A failure is logged and retried after the
 * interval. `stop` waits for the round in flight.
 */
export class RepeatedTask {
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = true;

  constructor(
    private readonly task: BackgroundTask,
    private readonly clock: Pick<DeadlineClock, 'look' | 'trustedUntilMs'>,
    private readonly log: Pick<BackgroundLogger, 'error'>,
    settings: JobsSettings,
  ) {
    this.#intervalMs = Math.max(MIN_INTERVAL_MS, task.intervalMs(settings));
  }

  start(): void {
    this.#stopped = false;
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #next(): void {
    this.#round = this.#repeat();
  }

  async #repeat(): Promise<void> {
    let more = false;
    try {
      more = (!this.task.needsClock || (await this.clock.look())) && (await this.task.run(this.clock.trustedUntilMs));
    } catch (error) {
      if (!this.#stopped) this.log.error(this.task.failure, error);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#next(), more ? 0 : this.#intervalMs);
  }
}
