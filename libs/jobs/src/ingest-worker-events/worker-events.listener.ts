import { setTimeout as delay } from 'node:timers/promises';
import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { WorkerEvent } from '@heddle/contracts-messages';
import { MessageFailureFilter } from '@heddle/platform-message-bus';
import type { BusMessage } from '@heddle/platform-message-bus';
import { isTransient } from '../jobs-schema/database-errors.js';
import { IngestWorkerEventsHandler } from './ingest-worker-events.handler.js';

const LONGEST_PATIENCE_MS = 120_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * The bus's way to ingest. A database that is away is no fault of a message: the batch waits here until it is back,
 * instead of becoming a dead letter while a job's outcome is in it.
 */
@Controller()
@UseFilters(MessageFailureFilter)
export class WorkerEventsListener {
  constructor(private readonly ingest: IngestWorkerEventsHandler) {}

  @EventPattern(WORKER_EVENTS_TOPIC, { group: 'jobs' })
  async handle(@Payload() batch: readonly BusMessage[]): Promise<void> {
    const reports = batch.map((message) => message.payload as WorkerEvent);
    const giveUpAt = performance.now() + LONGEST_PATIENCE_MS;
    for (let pauseMs = 20; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        await this.ingest.handle(reports);
        return;
      } catch (error) {
        if (!isTransient(error) || performance.now() > giveUpAt) throw error;
        await delay(pauseMs);
      }
    }
  }
}
