import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DeliveryLoop } from './send-callbacks/delivery-loop.js';
import { Tasks } from './keep-tasks/tasks.js';
import { ProxyDepth } from './observe-tasks/proxy-depth.js';
import { ProxySweepLoop } from './sweep-tasks/sweep-loop.js';

/** Starts and stops what runs beside the calls. */
@Injectable()
export class ProxyRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly sweeps: ProxySweepLoop,
    private readonly tasks: Tasks,
    private readonly deliveries: DeliveryLoop,
    private readonly depth: ProxyDepth,
  ) {}

  onApplicationBootstrap(): void {
    this.tasks.onDelivery(() => this.deliveries.look());
    this.deliveries.start();
    this.sweeps.start();
    this.depth.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweeps.stop(), this.deliveries.stop(), this.depth.stop()]);
  }
}
