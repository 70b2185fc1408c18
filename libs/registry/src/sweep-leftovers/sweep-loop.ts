import { Injectable } from '@nestjs/common';
import { RegistryLogger } from '../registry-logger.js';
import { PendingSweep } from './pending-sweep.js';
import { UploadSweep } from './upload-sweep.js';

const SWEEP_MS = 30_000;

/** Looks for leftovers again and again: versions and uploads whose bytes never came. */
@Injectable()
export class SweepLoop {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  constructor(
    private readonly pending: PendingSweep,
    private readonly uploads: UploadSweep,
    private readonly logger: RegistryLogger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS).unref();
    this.#sweep();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #sweep(): void {
    this.#running ??= Promise.all([this.pending.run(), this.uploads.run()])
      .then(() => undefined)
      .catch((error: unknown) => this.logger.error('leftovers were not swept: it is tried again', error))
      .finally(() => {
        this.#running = null;
      });
  }
}
