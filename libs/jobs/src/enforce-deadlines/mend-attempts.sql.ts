/**
 * Corrects the deadlines of attempts leased while the clock was off to what they would be without the jump. $1: last
 * position of the log with a correct clock, $2: clock offset, $3: tolerance, $4: maximum runtime, all in milliseconds.
 * A corrected deadline is no longer exactly a runtime after its lease, so only one of several replicas moves it.
 */
export const mendAttemptsSql = `
update jobs.queue q
   set attempt_deadline = q.attempt_deadline - $2::float8 * interval '1 millisecond'
  from jobs.event e
 where q.state <> 'queued' and e.stream_id = q.job_id and e.type = 'JobLeased' and e.fence = q.fence
   and e.position > $1::bigint
   and abs(extract(epoch from (e.recorded_at - heddle.clock_now()))::float8 * 1000 - $2::float8) < $3::float8
   and abs(extract(epoch from (q.attempt_deadline - e.recorded_at))::float8 * 1000 - $4::float8) < $3::float8`;
