import type { AccountId, DeploymentId } from '@heddle/contracts-messages';

export interface HeldRow {
  readonly job_id: string;
  readonly fence: number;
  readonly account_id: AccountId;
  readonly deployment_id: DeploymentId;
  readonly state: 'leased' | 'canceling';
}

/**
 * An expired lease can be renewed until a rescuer has condemned it (enforce-deadlines/overdue.sql.ts): until then
 * nobody else has its job. $4: lease time in milliseconds; $5: deployment of the worker's pool.
 */
export const renewSql = `
with held as materialized (
  select q.job_id, q.fence, q.account_id, q.deployment_id, q.state
  from (select * from unnest($1::uuid[], $2::int[]) as u(job_id, fence) order by job_id) i
  cross join lateral (
    select * from jobs.queue w
    where w.job_id = i.job_id and w.fence = i.fence and w.worker_id = $3 and w.deployment_id = $5
      and w.state <> 'queued' and w.lease_until > '-infinity'
    limit 1 for no key update
  ) q
),
renewed as (
  update jobs.queue q set lease_until = heddle.clock_now_ms() + $4::bigint * interval '1 millisecond'
  where q.job_id = any(array(select job_id from held))
)
select job_id, fence, account_id, deployment_id, state from held`;
