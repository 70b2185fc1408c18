import type { AccountId, DeploymentId } from '@heddle/contracts-messages';

export interface LeaseHolderRow {
  readonly account_id: AccountId;
  readonly deployment_id: DeploymentId;
  readonly worker_id: string;
  readonly expires_at: Date;
}

/** A condemned lease has no holder: its job is about to be given to another worker. */
export const holderSql = `
select q.account_id, q.deployment_id, q.worker_id, j.expires_at
  from jobs.queue q join jobs.job j on j.id = q.job_id
 where q.job_id = $1 and q.fence = $2 and q.state <> 'queued' and q.lease_until > '-infinity'`;
