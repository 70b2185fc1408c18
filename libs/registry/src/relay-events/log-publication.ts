import { Injectable } from '@nestjs/common';
import { Sequencer } from '@heddle/platform-event-log';
import { RegistryLog } from '../commit-events/registry-log.js';
import { RegistryRelay } from './registry-relay.js';
import { RelayLag } from './relay-lag.js';

/** Numbers what is committed, and publishes what has a number. */
@Injectable()
export class LogPublication {
  constructor(
    private readonly log: RegistryLog,
    private readonly sequencer: Sequencer,
    private readonly relay: RegistryRelay,
    private readonly lag: RelayLag,
  ) {}

  start(): void {
    this.sequencer.start();
    this.relay.start();
    this.lag.start();
    this.log.onCommitted(() => this.sequencer.nudge());
  }

  /** What got a number is published before the relay ends. */
  async stop(): Promise<void> {
    await this.sequencer.stop();
    await this.relay.stop();
    await this.lag.stop();
  }
}
