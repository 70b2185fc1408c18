/**
 * No delay before an attempt is as long as the tolerance ($1, milliseconds): such a job was queued while the clock was
 * ahead, and may run now.
 */
export const mendWaitsSql = `
update jobs.queue set not_before = heddle.clock_now_ms()
 where state = 'queued' and not_before > heddle.clock_now() + $1::float8 * interval '1 millisecond'`;
