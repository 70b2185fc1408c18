import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/** Every waiting account; cheap unless somebody holds a snapshot open while accounts start and stop waiting. */
const EVERY_COUNTER = `(select *, 0::bigint as low from jobs.queue_depth)`;

/** The accounts $4 and $5, whose waiting jobs have the positions $6 or higher. */
const KNOWN_COUNTERS = `(
  select n.*, k.low
  from unnest($4::uuid[], $5::uuid[], $6::bigint[]) as k(deployment_id, account_id, low)
  cross join lateral (
    select * from jobs.queue_depth c
    where c.deployment_id = k.deployment_id and c.account_id = k.account_id
    order by c.generation desc limit 1
  ) n
)`;

/** How many more jobs the account of the counter may run, if it has a limit; `counter`: an alias. */
const roomOf = (counter: string): string =>
  `${counter}.running_limit - (jobs.open_jobs_of(${counter}.account_id)).running`;

/** Whether an account may run one more job, and at most $2 of its jobs that it may run. */
export const hasRoomSql = (counter: string): string => `(${counter}.running_limit is null or ${roomOf(counter)} > 0)`;
export const roomSql = (counter: string): string =>
  `case when ${counter}.running_limit is null then $2::int else least(${roomOf(counter)}, $2::int)::int end`;

/** Whether an account with a limit waits in the deployments $1. */
export const LIMITS_WAIT = `(
  select exists (
    select from jobs.queue_depth where waits and running_limit is not null and deployment_id = any($1::uuid[])
  ) as limits_wait
)`;

/**
 * Jobs to lease next, fair between accounts: each account's oldest jobs, ranked by how many jobs the account would have
 * running with them; ties go to the account served longest ago. Queue positions compute the same order
 * (queue-position/account-turns.ts). $3: jobs in this replica's retry queue. Accounts that run as many jobs as they may are
 * passed by; `limits_wait`: an account with such a limit waits. One row without a job if there is none.
 */
const candidatesOf = (counters: string): string => `
select f.limits_wait, j.job_id, j.deployment_id, j.account_id, j.position
from ${LIMITS_WAIT} f
left join lateral (
  select q.job_id, d.deployment_id, d.account_id, q.position, d.running + q.rank as turn, d.served_at
  from (
    -- So many jobs are of so many accounts at most; some of them may have none that is due.
    select c.*, ${roomSql('c')} as room
    from ${counters} c
    where c.waits and c.account_id <> '${WHOLE_DEPLOYMENT}'::uuid and c.deployment_id = any($1::uuid[])
      and ${hasRoomSql('c')}
    order by c.running, c.served_at, c.account_id limit 4 * $2::int
  ) d
  cross join lateral (
    select w.job_id, w.position, row_number() over (order by w.position) as rank
    from (
      select job_id, position from jobs.queue
      where deployment_id = d.deployment_id and account_id = d.account_id and state = 'queued' and position >= d.low
        and not_before <= heddle.clock_now() and job_id <> all($3::uuid[])
      order by position limit d.room
    ) w
  ) q
  order by turn, d.served_at, d.account_id, q.position
  limit $2::int
) j on true
order by j.turn, j.served_at, j.account_id, j.position`;

export const candidatesSql = candidatesOf(EVERY_COUNTER);
export const knownCandidatesSql = candidatesOf(KNOWN_COUNTERS);

export const workflowBytesSql = `select bytes from jobs.workflow where hash = $1`;

export const workflowOfJobSql = `
select w.hash, w.bytes from jobs.job j join jobs.workflow w on w.hash = j.workflow_hash where j.id = $1`;

/** Leases that the rows record for the worker and that last at most $3 ms more. */
export const leasesOfWorkerSql = `
select job_id, fence from jobs.queue
where worker_id = $1 and deployment_id = $2 and state <> 'queued'
  and lease_until <= heddle.clock_now_ms() + $3::bigint * interval '1 millisecond'`;

/** Which of the jobs $1 have not ended. */
export const openJobsSql = `select job_id from jobs.queue where job_id = any($1::uuid[])`;
