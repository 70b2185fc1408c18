import { Injectable } from '@nestjs/common';
import { accepted, notFound } from '@heddle/contracts-messages';
import type { Answer, JobLog, LoggedAttempt, Principal } from '@heddle/contracts-messages';
import { LogsDatabase } from '../logs-database.js';
import { MARK_ABSENT, READ_LOG } from './read-log.sql.js';
import type { LogRow } from './read-log.sql.js';

/** Returns the log of the attempt that ended a job. */
@Injectable()
export class ReadLogHandler {
  constructor(private readonly database: LogsDatabase) {}

  async handle({ accountId, deploymentId }: Principal, ended: LoggedAttempt): Promise<Answer<JobLog>> {
    const values = [ended.jobId, accountId, deploymentId, ended.fence, ended.endedAs];
    const log = (await this.#find(values)) ?? (await this.#findOrMark(values));
    return log === null ? notFound() : accepted(log);
  }

  /** A capture may have come between the look and the mark. */
  async #findOrMark(values: readonly unknown[]): Promise<JobLog | null> {
    const { rowCount } = await this.database.pool.query({ ...MARK_ABSENT, values: [...values] });
    return rowCount === 0 ? await this.#find(values) : null;
  }

  async #find(values: readonly unknown[]): Promise<JobLog | null> {
    const { rows } = await this.database.pool.query<LogRow>({ ...READ_LOG, values: [...values] });
    const row = rows[0];
    if (row === undefined) return null;
    const { content, truncated, complete, captured_at: capturedAt } = row;
    return { text: content.toString('utf8'), truncated, complete, capturedAt: capturedAt.toISOString() };
  }
}
