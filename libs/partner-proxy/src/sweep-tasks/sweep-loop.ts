import { Injectable } from '@nestjs/common';
import { RepeatedWork } from '@heddle/platform-database';
import { ProxyLogger } from '../proxy-logger.js';
import { TaskPurge } from '../purge-tasks/task-purge.js';
import { PartnerProxySettings } from '../settings.js';
import { TaskSweep } from './task-sweep.js';

const LOOK_MS = 2_000;
const MAX_PURGE_MS = 60_000;

/** Looks again and again for tasks that no process works on, and for what is past its retention. */
@Injectable()
export class ProxySweepLoop {
  readonly #sweeps: RepeatedWork;
  readonly #purges: RepeatedWork;
  #isStopping = false;

  constructor(
    sweep: TaskSweep,
    purge: TaskPurge,
    private readonly settings: PartnerProxySettings,
    logger: ProxyLogger,
  ) {
    this.#sweeps = new RepeatedWork(
      async () => {
        while ((await sweep.run()) && !this.#isStopping);
      },
      (error) => logger.error('tasks were not swept: it is tried again', error),
    );
    this.#purges = new RepeatedWork(
      () => purge.run(),
      (error) => logger.error('what is past its retention was not purged: it is tried again', error),
    );
  }

  start(): void {
    this.#sweeps.start(LOOK_MS);
    this.#purges.start(Math.min(MAX_PURGE_MS, Math.max(LOOK_MS / 4, this.settings.retentionMs / 4)));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#sweeps.stop(), this.#purges.stop()]);
  }
}
