import { Injectable } from '@nestjs/common';
import { ProxyLogger } from '../proxy-logger.js';
import { TaskSweep } from './task-sweep.js';

const LOOK_MS = 2_000;

/** Looks again and again for tasks that nobody works on. */
@Injectable()
export class ProxySweepLoop {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  constructor(
    private readonly sweep: TaskSweep,
    private readonly logger: ProxyLogger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#look();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #look(): void {
    this.#running ??= this.sweep
      .run()
      .catch((error: unknown) => this.logger.error('tasks were not swept: it is tried again', error))
      .finally(() => {
        this.#running = null;
      });
  }
}
