import { Inject, Injectable } from '@nestjs/common';
import { accepted, isUuid, notFound } from '@heddle/contracts-messages';
import type { Answer, JobId, JobView, Principal } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { QueuePositions } from '../queue-position/queue-positions.js';
import { VIEW_COLUMNS, viewOf } from './job-row.js';
import type { ViewRow } from './job-row.js';
import { JOBS_READS } from '../jobs-connections.js';

const getJobSql = `
select ${VIEW_COLUMNS}
from jobs.job j left join jobs.job_progress p on p.job_id = j.id
where j.id = $1 and j.account_id = $2 and j.deployment_id = $3 and j.expires_at > heddle.clock_now()`;

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
