import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { RegistryLog } from './commit-events/registry-log.js';
import { InspectionLoop } from './inspect-versions/inspection-loop.js';
import { LogPublication } from './relay-events/log-publication.js';
import { SweepLoop } from './sweep-leftovers/sweep-loop.js';

/** Starts and stops what runs beside the calls. */
@Injectable()
export class RegistryRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly log: RegistryLog,
    private readonly publication: LogPublication,
    private readonly inspections: InspectionLoop,
    private readonly sweeps: SweepLoop,
  ) {}

  onApplicationBootstrap(): void {
    this.publication.start();
    this.log.onCommitted(() => this.inspections.look());
    this.inspections.start();
    this.sweeps.start();
  }

  /** What these two append is published too. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.inspections.stop(), this.sweeps.stop()]);
    await this.publication.stop();
  }
}
