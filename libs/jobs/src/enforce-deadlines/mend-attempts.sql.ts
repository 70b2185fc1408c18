/**
 * Moves the deadlines of attempts that were leased while the clock was off to where they would be without the jump. $1: the last position
 * of the log while it was sane, $2: how far it was off, $3: the tolerance, $4: the maximum runtime, all in milliseconds.
 * A deadline that was moved is no longer a runtime away from its lease, so that of several replicas only one moves it.
 */
export const mendAttemptsSql = `
update jobs.queue q
   set attempt_deadline = q.attempt_deadline - $2::float8 * interval '1 millisecond'
  from jobs.event e
 where q.state <> 'queued' and e.stream_id = q.job_id and e.type = 'JobLeased' and e.fence = q.fence
   and e.position > $1::bigint
   and abs(extract(epoch from (e.recorded_at - heddle.clock_now()))::float8 * 1000 - $2::float8) < $3::float8
   and abs(extract(epoch from (q.attempt_deadline - e.recorded_at))::float8 * 1000 - $4::float8) < $3::float8`;
