import { Inject, Injectable } from '@nestjs/common';
import type { JobHoldings, JobId, JobLogPort, JobMessagePage } from '@heddle/contracts-messages';
import { readFrom } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { JobMessages } from '../relay-job-events/job-messages.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { endsSql } from './local-job-log.sql.js';
import type { EndsRow } from './local-job-log.sql.js';

/** Answers, in this process, the queries of services that follow jobs. */
@Injectable()
export class LocalJobLog implements JobLogPort {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly holdings: JobHoldingsReader,
    private readonly messages: JobMessages,
  ) {}

  async holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    return await this.holdings.of(jobIds);
  }

  async endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]> {
    return await this.holdings.endedOf(jobIds);
  }

  async messagesAfter(seq: number, limit: number): Promise<JobMessagePage> {
    const { rows } = await this.pool.query<EndsRow>({ name: 'job-log-ends', text: endsSql, values: [seq] });
    const { head, after } = rows[0]!;
    if (seq >= Number(head)) return { messages: [], after, head: Number(head) };
    const events = await readFrom(this.pool, JOBS_SCHEMA, BigInt(seq), limit);
    // Up to the first event that this build cannot read: nobody may skip it unnoticed.
    const { messages } = await this.messages.of(events);
    const page = messages.map(({ headers, payload }) => ({ seq: Number(headers['seq']), message: payload }));
    return { messages: page, after, head: Number(head) };
  }
}
