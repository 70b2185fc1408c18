import { Injectable } from '@nestjs/common';
import { Sequencer } from '@heddle/platform-event-log';
import { RegistryLog } from '../commit-events/registry-log.js';
import { RegistryRelay } from './registry-relay.js';

/** Numbers what is committed, and publishes what has a number. */
@Injectable()
export class LogPublication {
  constructor(
    private readonly log: RegistryLog,
    private readonly sequencer: Sequencer,
    private readonly relay: RegistryRelay,
  ) {}

  start(): void {
    this.sequencer.start();
    this.relay.start();
    this.log.onCommitted(() => this.sequencer.nudge());
  }

  /** What got a number is published before the relay ends. */
  async stop(): Promise<void> {
    await this.sequencer.stop();
    await this.relay.stop();
  }
}
