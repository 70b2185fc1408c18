export interface LogRow {
  readonly content: Buffer;
  readonly truncated: boolean;
  readonly complete: boolean;
  readonly captured_at: Date;
}

/** Parameters: job, account, deployment, fence, end. */
export const READ_LOG = {
  name: 'logs.read_ended',
  text: `select content, truncated, complete, captured_at from logs.execution_log
         where job_id = $1 and account_id = $2 and deployment_id = $3 and fence = $4 and ended_as = $5
           and expires_at > heddle.clock_now()`,
};

/**
 * Parameters as above. Writes a row in the place of the log, unless it is there: a capture of this attempt that comes
 * later is refused. An hour is longer than any capture is on its way; a row of an older attempt expires with its job.
 */
export const MARK_ABSENT = {
  name: 'logs.mark_absent',
  text: `insert into logs.execution_log as l
           (job_id, account_id, deployment_id, fence, content, truncated, complete, captured_at, expires_at, absent)
         select $1::uuid, $2::uuid, $3::uuid, $4::int, '', false, true, at, at + interval '1 hour', true
         from (select heddle.clock_now() as at) now
         on conflict (job_id) do update set fence = excluded.fence, content = '', truncated = false, complete = true,
           captured_at = excluded.captured_at, absent = true, ended_as = null
         where l.account_id = excluded.account_id and l.deployment_id = excluded.deployment_id and not l.absent
           and l.fence <= excluded.fence and (l.fence < excluded.fence or l.ended_as is distinct from $5::text)`,
};
