import { Inject, Injectable } from '@nestjs/common';
import type { LeaseKey, WorkerIdentity } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';

const markSql = `
update jobs.queue set started_fence = fence
 where job_id = $1 and fence = $2 and worker_id = $3 and deployment_id = $4 and state <> 'queued' and lease_until > '-infinity'
returning job_id`;

const startedSql = `select started_fence = fence as started from jobs.queue where job_id = $1 and fence = $2`;

/**
 * Records which leases have started: the worker reported `started`. From then on the attempt of a job with credentials
 * counts. Other reports prove a start by being in the log. The mark is live state like the lease's end, not an event.
 */
@Injectable()
export class AttemptStarts {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  /** Resolves after the commit; false if the lease is not this worker's, or is about to be lost. May be repeated. */
  async markStarted({ jobId, fence }: LeaseKey, { workerId, deploymentId }: WorkerIdentity): Promise<boolean> {
    const query = { name: 'mark-started', text: markSql, values: [jobId, fence, workerId, deploymentId] };
    return (await this.pool.query(query)).rowCount === 1;
  }

  /** True if unknown. */
  async isStarted({ jobId, fence }: LeaseKey): Promise<boolean> {
    const query = { name: 'is-started', text: startedSql, values: [jobId, fence] };
    return (await this.pool.query<{ started: boolean }>(query)).rows[0]?.started ?? true;
  }
}
