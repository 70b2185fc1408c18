export interface CaptureRow {
  readonly kept: boolean;
  /** This attempt's log was stored before. */
  readonly known: boolean;
}

/**
 * Parameters: job, account, deployment, fence, content, truncated, complete, expiry, end. A log that arrives after its job's
 * expiry would never be removed with the job, so it is not stored. What somebody else was told about this id does not
 * count: the account is that of the job.
 */
export const CAPTURE_LOG = {
  name: 'logs.capture',
  text: `with now as materialized (select heddle.clock_now_ms() as at),
         kept as (
           insert into logs.execution_log as l
             (job_id, account_id, deployment_id, fence, content, truncated, complete, captured_at, expires_at,
              ended_as)
           select $1::uuid, $2::uuid, $3::uuid, $4::int, $5::bytea, $6::boolean, $7::boolean, now.at, $8::timestamptz,
             $9::text
           from now where $8::timestamptz > now.at
           on conflict (job_id) do update set fence = excluded.fence, content = excluded.content,
             truncated = excluded.truncated, complete = excluded.complete, captured_at = excluded.captured_at,
             ended_as = excluded.ended_as, absent = false, account_id = excluded.account_id,
             deployment_id = excluded.deployment_id, expires_at = excluded.expires_at
           where case when (l.account_id, l.deployment_id) <> (excluded.account_id, excluded.deployment_id) then l.absent
             else l.fence < excluded.fence or (l.fence = excluded.fence and not l.complete
               and (excluded.complete or l.content <> excluded.content)) end
           returning job_id
         )
         select exists (select from kept) as kept,
           exists (select from logs.execution_log o where o.job_id = $1::uuid and o.account_id = $2::uuid
             and o.deployment_id = $3::uuid and o.fence = $4::int and not o.absent) as known`,
};
