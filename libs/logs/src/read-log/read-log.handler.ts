import { Injectable } from '@nestjs/common';
import { accepted, notFound } from '@heddle/contracts-messages';
import type { Answer, JobId, JobLog, Principal } from '@heddle/contracts-messages';
import { LogsDatabase } from '../logs-database.js';
import { READ_LOG } from './read-log.sql.js';
import type { LogRow } from './read-log.sql.js';

/** Returns the stored part of a job's log. */
@Injectable()
export class ReadLogHandler {
  constructor(private readonly database: LogsDatabase) {}

  async handle({ accountId, deploymentId }: Principal, jobId: JobId): Promise<Answer<JobLog>> {
    const values = [jobId, accountId, deploymentId];
    const { rows } = await this.database.pool.query<LogRow>({ ...READ_LOG, values });
    const row = rows[0];
    if (row === undefined) return notFound();
    const { content, truncated, complete, captured_at: capturedAt } = row;
    return accepted({ text: content.toString('utf8'), truncated, complete, capturedAt: capturedAt.toISOString() });
  }
}
