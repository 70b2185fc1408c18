import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobMessage, LiveItem } from '@heddle/contracts-messages';
import { JobFeed } from '@heddle/platform-message-bus';
import { MessageFailureFilter } from '@heddle/platform-message-bus/nest-transport';
import type { BusMessage } from '@heddle/platform-message-bus';
import { LiveBus } from './live-bus.js';

/** Without watchers nobody waits for them. */
const BATCH_WAIT_MS = 100;

/**
 * Delivers committed job events from the bus to this process's open streams, if the jobs service is another process.
 */
@Controller()
@UseFilters(MessageFailureFilter)
export class ReceiveJobEventsController {
  constructor(
    private readonly feed: JobFeed<LiveItem>,
    private readonly bus: LiveBus,
  ) {}

  @EventPattern(JOB_EVENTS_TOPIC, { group: 'gateway', everyProcess: true, batchWaitMs: BATCH_WAIT_MS })
  receive(@Payload() batch: readonly BusMessage<JobMessage>[]): void {
    for (const { payload, headers } of batch) {
      this.bus.telemetry.arrived(payload);
      const traceparent = headers['traceparent'] ?? null;
      this.feed.publish(payload.jobId, { kind: 'job', message: payload, traceparent });
    }
  }
}
