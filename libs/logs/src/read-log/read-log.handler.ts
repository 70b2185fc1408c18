import { Injectable } from '@nestjs/common';
import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, JobId, JobLog, Principal } from '@heddle/contracts-messages';
import { LogsDatabase } from '../logs-database.js';

interface LogRow {
  readonly content: Buffer;
  readonly truncated: boolean;
  readonly complete: boolean;
  readonly captured_at: Date;
}

const readSql = `
select content, truncated, complete, captured_at from logs.execution_log
where job_id = $1 and account_id = $2 and deployment_id = $3 and expires_at > heddle.clock_now()`;

/** Returns the stored part of a job's log. */
@Injectable()
export class ReadLogHandler {
  constructor(private readonly database: LogsDatabase) {}

  async handle({ accountId, deploymentId }: Principal, jobId: JobId): Promise<Answer<JobLog>> {
    const values = [jobId, accountId, deploymentId];
    const { rows } = await this.database.pool.query<LogRow>({ name: 'read-log', text: readSql, values });
    const row = rows[0];
    if (row === undefined) return rejected(refuse('not_found', { case: 'resource' }));
    const { content, truncated, complete, captured_at: capturedAt } = row;
    return accepted({ text: content.toString('utf8'), truncated, complete, capturedAt: capturedAt.toISOString() });
  }
}
