import { Inject, Injectable } from '@nestjs/common';
import { accepted, isUuid, notFound } from '@heddle/contracts-messages';
import type { Answer, JobId, JobView, Principal } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { QueuePositions } from '../queue-position/queue-positions.js';
import { getJobSql } from './get-job.sql.js';
import { viewOf } from './job-row.js';
import type { ViewRow } from './job-row.js';
import { JOBS_READS } from '../jobs-connections.js';

/** GET /api/v2/jobs/{id}: the authoritative view, from the rows of the last commit. */
@Injectable()
export class GetJobHandler {
  constructor(
    @Inject(JOBS_READS) private readonly pool: Pool,
    private readonly positions: QueuePositions,
  ) {}

  async handle(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    if (!isUuid(jobId)) return notFound();
    const { rows } = await this.pool.query<ViewRow>({
      name: 'get-job',
      text: getJobSql,
      values: [jobId, principal.accountId, principal.deploymentId],
    });
    const row = rows[0];
    if (row === undefined) return notFound();
    return accepted(viewOf(row, await this.positions.of(row.status === 'queued' ? [row.id] : [])));
  }
}
