import { Inject, Injectable } from '@nestjs/common';
import type { LeaseAuthorityPort, LeaseHolder, LeaseKey } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { holderSql } from './lease-holder.sql.js';
import type { LeaseHolderRow } from './lease-holder.sql.js';

/** Finds whose job a lease belongs to, from this service's rows. */
@Injectable()
export class LocalLeaseAuthority implements LeaseAuthorityPort {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  async holderOf({ jobId, fence }: LeaseKey): Promise<LeaseHolder | null> {
    const query = { name: 'lease-holder', text: holderSql, values: [jobId, fence] };
    const [row] = (await this.pool.query<LeaseHolderRow>(query)).rows;
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
