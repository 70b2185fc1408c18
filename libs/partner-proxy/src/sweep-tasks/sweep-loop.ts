import { Injectable } from '@nestjs/common';
import { RepeatedWork, SweepClock } from '@heddle/platform-database';
import { ProxyLogger } from '../proxy-logger.js';
import { TaskPurge } from '../purge-tasks/task-purge.js';
import { TaskSweep } from './task-sweep.js';

const LOOK_MS = 2_000;

/** Looks again and again for tasks that no process works on, and for what is past its retention. */
@Injectable()
export class ProxySweepLoop {
  readonly #sweeps: RepeatedWork;
  readonly #purges: RepeatedWork;
  #isStopping = false;

  constructor(
    sweep: TaskSweep,
    private readonly purge: TaskPurge,
    clock: SweepClock,
    logger: ProxyLogger,
  ) {
    this.#sweeps = new RepeatedWork(
      async () => {
        while ((await sweep.run(await clock.look())) && !this.#isStopping);
      },
      (error) => logger.error('tasks were not swept: it is tried again', error),
    );
    this.#purges = new RepeatedWork(
      async () => {
        const trustedUntilMs = await clock.look();
        if (trustedUntilMs !== null) await purge.run(trustedUntilMs);
      },
      (error) => logger.error('what is past its retention was not purged: it is tried again', error),
    );
  }

  start(): void {
    this.#sweeps.start(LOOK_MS);
    this.#purges.start(this.purge.everyMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#sweeps.stop(), this.#purges.stop()]);
  }
}
