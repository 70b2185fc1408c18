import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import { MessageFailureFilter } from '@heddle/platform-message-bus/nest-transport';
import type { BusMessage } from '@heddle/platform-message-bus';
import { LiveProjection } from './live-projection.js';

/** Without watchers, no stream waits for them. */
const BATCH_WAIT_MS = 100;

/** Delivers committed job events from the bus to this process's open streams, if the jobs service is another process. */
@Controller()
@UseFilters(MessageFailureFilter)
export class ReceiveJobEventsController {
  constructor(private readonly live: LiveProjection) {}

  @EventPattern(JOB_EVENTS_TOPIC, { group: 'gateway', everyProcess: true, batchWaitMs: BATCH_WAIT_MS })
  receive(@Payload() batch: readonly BusMessage<JobMessage>[]): void {
    this.live.receiveJobEvents(batch);
  }
}
