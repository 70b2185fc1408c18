import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { MessageFailureFilter } from '@heddle/platform-message-bus/nest-transport';
import type { BusMessage } from '@heddle/platform-message-bus';
import { AssetJobFollower } from './asset-job-follower.js';

/** No caller waits for the effects of these messages. */
const BATCH_WAIT_MS = 250;

/** Receives job messages for the assets service; a batch that fails is delivered again. */
@Controller()
@UseFilters(MessageFailureFilter)
export class JobMessagesController {
  constructor(private readonly jobs: AssetJobFollower) {}

  @EventPattern(JOB_EVENTS_TOPIC, { group: 'assets', batchWaitMs: BATCH_WAIT_MS })
  async follow(@Payload() batch: readonly BusMessage[]): Promise<void> {
    await this.jobs.follower.handle(batch);
  }
}
