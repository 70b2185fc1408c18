import { Injectable } from '@nestjs/common';
import { RepeatedWork, SweepClock } from '@heddle/platform-database';
import { RegistryLogger } from '../registry-logger.js';
import { PendingSweep } from './pending-sweep.js';
import { UploadSweep } from './upload-sweep.js';

const SWEEP_MS = 30_000;

/** Looks for leftovers again and again: versions and uploads whose bytes never came. */
@Injectable()
export class SweepLoop {
  readonly #sweeps: RepeatedWork;

  constructor(pending: PendingSweep, uploads: UploadSweep, clock: SweepClock, logger: RegistryLogger) {
    this.#sweeps = new RepeatedWork(
      async () => {
        const trustedUntilMs = await clock.look();
        if (trustedUntilMs !== null) await Promise.all([pending.run(trustedUntilMs), uploads.run(trustedUntilMs)]);
      },
      (error) => logger.error('leftovers were not swept: it is tried again', error),
    );
  }

  start(everyMs = SWEEP_MS): void {
    this.#sweeps.start(everyMs);
  }

  async stop(): Promise<void> {
    await this.#sweeps.stop();
  }
}
