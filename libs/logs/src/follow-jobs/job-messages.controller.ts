import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { MessageFailureFilter } from '@heddle/platform-message-bus/nest-transport';
import type { BusMessage } from '@heddle/platform-message-bus';
import { LogJobFollower } from './log-job-follower.js';

/** No caller waits for the effects of these messages. */
const BATCH_WAIT_MS = 250;

/** Receives job messages for the logs service. */
@Controller()
@UseFilters(MessageFailureFilter)
export class LogJobMessagesController {
  constructor(private readonly jobs: LogJobFollower) {}

  @EventPattern(JOB_EVENTS_TOPIC, { group: 'logs', batchWaitMs: BATCH_WAIT_MS })
  async follow(@Payload() batch: readonly BusMessage[]): Promise<void> {
    await this.jobs.follower.handle(batch);
  }
}
