import { Inject, Injectable } from '@nestjs/common';
import type { AccountId, DeploymentId, LeaseAuthorityPort, LeaseHolder, LeaseKey } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';

interface HolderRow {
  readonly account_id: AccountId;
  readonly deployment_id: DeploymentId;
  readonly worker_id: string;
  readonly expires_at: Date;
}

/** Nobody holds a condemned lease: its job is about to be given to another worker. */
const holderSql = `
select q.account_id, q.deployment_id, q.worker_id, j.expires_at
  from jobs.queue q join jobs.job j on j.id = q.job_id
 where q.job_id = $1 and q.fence = $2 and q.state <> 'queued' and q.lease_until > '-infinity'`;

/** Finds whose job a lease belongs to, from this service's rows. */
@Injectable()
export class LocalLeaseAuthority implements LeaseAuthorityPort {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  async holderOf({ jobId, fence }: LeaseKey): Promise<LeaseHolder | null> {
    const query = { name: 'lease-holder', text: holderSql, values: [jobId, fence] };
    const [row] = (await this.pool.query<HolderRow>(query)).rows;
    if (row === undefined) return null;
    const { account_id, deployment_id, worker_id, expires_at } = row;
    return {
      accountId: account_id,
      deploymentId: deployment_id,
      workerId: worker_id,
      jobExpiresAt: expires_at.toISOString(),
    };
  }
}
