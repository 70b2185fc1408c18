export interface OverdueRow {
  readonly deadline: 'lease' | 'attempt' | 'cancel' | 'queue';
  readonly job_id: string;
  readonly fence: number;
  /** The worker had reported that it started. */
  readonly started: boolean;
}

const MAX_ROWS = 100;

/**
 * Every deadline that has passed, by the database clock; leased jobs are few, and one partial index holds them all. An
 * expired lease is first condemned (`-infinity`): from then on it cannot be renewed, so a worker that was answered
 * `held` is never rescued by an older look. If the condemning process dies, the next look finds the lease.
 *
 * $1: milliseconds since 1970; a later clock is not trusted. $2: the same for rescues, whose tolerance is smaller.
 *
 * $3: start of a grace period without rescues, or null. An attempt or a cancel that was due by then may have ended
 * without the service's knowledge, and waits as leases do. $4: jobs to skip.
 */
export const overdueSql = `
with clock as materialized (
  select now, now > to_timestamp($2::float8 / 1000) or $3::float8 is not null as graced, to_timestamp($3::float8 / 1000) as since
  from heddle.clock_now() as now where now <= to_timestamp($1::float8 / 1000)
),
run_out as materialized (
  select q.job_id from jobs.queue q
  where q.state <> 'queued' and q.lease_until <= (select now from clock where not graced) and q.lease_until > '-infinity'
    and q.job_id <> all($4::uuid[])
  order by q.lease_until limit ${MAX_ROWS} for no key update of q skip locked
),
condemned as (
  update jobs.queue q set lease_until = '-infinity' from run_out r where q.job_id = r.job_id
  returning q.job_id, q.fence, q.started_fence = q.fence as started
)
select 'lease' as deadline, job_id, fence, started from condemned
union all
(select 'lease', job_id, fence, started_fence = fence from jobs.queue, clock
  where state <> 'queued' and lease_until = '-infinity' and job_id <> all($4::uuid[]) limit ${MAX_ROWS})
union all
(select 'attempt', job_id, fence, started_fence = fence from jobs.queue, clock
  where state <> 'queued' and attempt_deadline <= now and (since is null or attempt_deadline > since) and job_id <> all($4::uuid[])
  order by attempt_deadline limit ${MAX_ROWS})
union all
(select 'cancel', job_id, fence, started_fence = fence from jobs.queue, clock
  where state = 'canceling' and cancel_deadline <= now and (since is null or cancel_deadline > since) and job_id <> all($4::uuid[])
  order by cancel_deadline limit ${MAX_ROWS})
union all
(select 'queue', job_id, fence, false from jobs.queue
  where state = 'queued' and queue_deadline <= (select now from clock) and job_id <> all($4::uuid[]) order by queue_deadline limit ${MAX_ROWS})`;

/** After a clock jump the ends of leases mean nothing: each lease starts again. $1: lease time in milliseconds. */
export const renewAllSql = `
with held as materialized (
  select job_id from jobs.queue where state <> 'queued' and lease_until > '-infinity' order by job_id for no key update
)
update jobs.queue q set lease_until = heddle.clock_now_ms() + $1::bigint * interval '1 millisecond'
  from held h where q.job_id = h.job_id`;
