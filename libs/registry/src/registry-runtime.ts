import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Sequencer } from '@heddle/platform-event-log';
import { RegistryLog } from './commit-events/registry-log.js';
import { InspectionLoop } from './inspect-versions/inspection-loop.js';
import { RegistryRelay } from './relay-events/registry-relay.js';
import { SweepLoop } from './sweep-leftovers/sweep-loop.js';

/** Starts and stops what runs beside the calls. */
@Injectable()
export class RegistryRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  @Inject(SweepLoop) private readonly sweeps!: SweepLoop;

  constructor(
    private readonly log: RegistryLog,
    private readonly sequencer: Sequencer,
    private readonly relay: RegistryRelay,
    private readonly inspections: InspectionLoop,
  ) {}

  onApplicationBootstrap(): void {
    this.sequencer.start();
    this.relay.start();
    this.log.onCommitted(() => {
      this.sequencer.nudge();
      this.inspections.look();
    });
    this.inspections.start();
    this.sweeps.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.inspections.stop(), this.sweeps.stop()]);
    await this.sequencer.stop();
    await this.relay.stop();
  }
}
