import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { WorkerEvent } from '@heddle/contracts-messages';
import { MessageFailureFilter } from '@heddle/platform-message-bus/nest-transport';
import type { BusMessage } from '@heddle/platform-message-bus';
import { LiveProjection } from './live-projection.js';

/** Delivers workers' progress and previews from the bus to this process's open streams. */
@Controller()
@UseFilters(MessageFailureFilter)
export class ReceiveWorkerEventsController {
  constructor(private readonly live: LiveProjection) {}

  @EventPattern(WORKER_EVENTS_TOPIC, { group: 'gateway', everyProcess: true })
  receive(@Payload() batch: readonly BusMessage<WorkerEvent>[]): void {
    this.live.receiveWorkerEvents(batch.map(({ payload }) => payload));
  }
}
