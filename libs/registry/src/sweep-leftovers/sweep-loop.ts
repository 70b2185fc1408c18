import { Injectable } from '@nestjs/common';
import { RepeatedWork } from '@heddle/platform-database';
import { RegistryLogger } from '../registry-logger.js';
import { PendingSweep } from './pending-sweep.js';
import { UploadSweep } from './upload-sweep.js';

const SWEEP_MS = 30_000;

/** Looks for leftovers again and again: versions and uploads whose bytes never came. */
@Injectable()
export class SweepLoop {
  readonly #sweeps: RepeatedWork;

  constructor(pending: PendingSweep, uploads: UploadSweep, logger: RegistryLogger) {
    this.#sweeps = new RepeatedWork(
      async () => void (await Promise.all([pending.run(), uploads.run()])),
      (error) => logger.error('leftovers were not swept: it is tried again', error),
    );
  }

  start(): void {
    this.#sweeps.start(SWEEP_MS);
  }

  async stop(): Promise<void> {
    await this.#sweeps.stop();
  }
}
