export interface OverdueRow {
  readonly deadline: 'lease' | 'attempt' | 'cancel' | 'queue';
  readonly job_id: string;
  readonly fence: number;
}

const MOST = 100;

/**
 * Every deadline that has passed, by the database clock; leased jobs are few, and one partial index holds them all. A lease that ran out is never renewed,
 * so what is found overdue stays overdue until its job is changed. $1: milliseconds since 1970; a clock past that is not believed.
 */
export const overdueSql = `
with clock as materialized (
  select now from heddle.clock_now() as now where now <= to_timestamp($1::float8 / 1000)
)
(select 'lease' as deadline, job_id, fence from jobs.queue, clock
  where state <> 'queued' and lease_until <= now order by lease_until limit ${MOST})
union all
(select 'attempt', job_id, fence from jobs.queue, clock
  where state <> 'queued' and attempt_deadline <= now order by attempt_deadline limit ${MOST})
union all
(select 'cancel', job_id, fence from jobs.queue, clock
  where state = 'canceling' and cancel_deadline <= now order by cancel_deadline limit ${MOST})
union all
(select 'queue', job_id, fence from jobs.queue, clock
  where state = 'queued' and queue_deadline <= now order by queue_deadline limit ${MOST})`;
