import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { WorkerEvent } from '@heddle/contracts-messages';
import { waitOutOutage } from '@heddle/platform-database';
import { MessageFailureFilter } from '@heddle/platform-message-bus/nest-transport';
import type { BusMessage } from '@heddle/platform-message-bus';
import { IngestWorkerEventsHandler } from './ingest-worker-events.handler.js';

/** The bus's way to ingest: a job's outcome must not become a dead letter because the database is away for a while. */
@Controller()
@UseFilters(MessageFailureFilter)
export class WorkerEventsListener {
  constructor(private readonly ingest: IngestWorkerEventsHandler) {}

  @EventPattern(WORKER_EVENTS_TOPIC, { group: 'jobs' })
  async handle(@Payload() batch: readonly BusMessage[]): Promise<void> {
    const reports = batch.map((message) => message.payload as WorkerEvent);
    await waitOutOutage(() => this.ingest.handle(reports));
  }
}
