import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import { waitOutOutage } from '@heddle/platform-database';
import { MessageFailureFilter } from '@heddle/platform-message-bus/nest-transport';
import type { BusMessage } from '@heddle/platform-message-bus';
import { LogsDatabase } from '../logs-database.js';

const forgetSql = `delete from logs.execution_log where job_id = any($1::uuid[])`;

/** Nobody waits for what follows from a message. */
const GATHER_MS = 100;

/** What the logs service hears of jobs: a log goes with its job. */
@Controller()
@UseFilters(MessageFailureFilter)
export class JobMessagesController {
  constructor(private readonly database: LogsDatabase) {}

  @EventPattern(JOB_EVENTS_TOPIC, { group: 'logs', gatherMs: GATHER_MS })
  async follow(@Payload() batch: readonly BusMessage<JobMessage>[]): Promise<void> {
    const purged = batch.filter(({ payload }) => payload.type === 'JobPurged').map(({ payload }) => payload.jobId);
    if (purged.length === 0) return;
    await waitOutOutage(async () => await this.database.pool.query(forgetSql, [purged]));
  }
}
