import { Inject, Injectable } from '@nestjs/common';
import type { DurableReport, WorkerIdentity } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';

/** The index of worker sequences contains each report once; the worker is the correlation id of its reports. */
const storedSql = `
select from jobs.event
where stream_id = $1 and fence = $2 and worker_seq = $3 and correlation_id = $4 and deployment_id = $5 limit 1`;

/** Which reports of a worker are already in the log, although their lease has ended. */
@Injectable()
export class StoredReports {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  /** True: an earlier copy was stored, and its acknowledgement was lost. */
  async has({ workerId, deploymentId }: WorkerIdentity, { jobId, fence, sequence }: DurableReport): Promise<boolean> {
    const query = { name: 'is-stored', text: storedSql, values: [jobId, fence, sequence, workerId, deploymentId] };
    return (await this.pool.query(query)).rowCount === 1;
  }
}
