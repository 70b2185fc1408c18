import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import { StoppedBefore } from '@heddle/platform-event-log';
import type { LogReaderOptions, SequencedEvent } from '@heddle/platform-event-log';
import { JobEventsRelay } from './job-events-relay.js';
import { RelayStop } from './relay-stop.js';

/** Receives the log for the bus, and stops before an event that this build cannot read. */
@Injectable()
export class RelayListener implements Pick<Required<LogReaderOptions>, 'mayLead' | 'handle' | 'onError'> {
  constructor(
    private readonly relay: JobEventsRelay,
    private readonly stop: RelayStop,
    private readonly log: BackgroundLogger,
  ) {}

  readonly mayLead = (): boolean => this.stop.mayLead();

  readonly handle = async (events: readonly SequencedEvent[]): Promise<void> => {
    await this.relay.publish(events);
    this.stop.wentOn();
  };

  readonly onError = (error: unknown): void => {
    if (error instanceof StoppedBefore) this.stop.stopped(error);
    else this.log.error('committed events were not published', error);
  };
}
