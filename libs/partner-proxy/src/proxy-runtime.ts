import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { ProxySweepLoop } from './sweep-tasks/sweep-loop.js';

/** Starts and stops what runs beside the calls. */
@Injectable()
export class ProxyRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly sweeps: ProxySweepLoop) {}

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeps.stop();
  }
}
