import { NIL_UUID } from '@heddle/contracts-messages';
import type { JobId, JobOutput } from '@heddle/contracts-messages';
import { hasEndedSql } from '../get-job/job-row.js';

export interface HoldingsRow {
  readonly id: JobId;
  readonly ended: boolean;
  readonly outputs: readonly JobOutput[] | null;
}

/**
 * Outputs are read whole: PostgreSQL refuses to parse JSON with an escaped zero, which engine names may contain.
 * Parameter: jobs.
 */
export const holdingsSql = `
select j.id, ${hasEndedSql} as ended,
  (select json_agg(o.output order by o.ordinal) from jobs.job_output o where o.job_id = j.id) as outputs
from jobs.job j where j.id = any($1::uuid[])`;

/**
 * Every job that has not ended has a queue row; events of a purged one remain, or its whole partition was detached.
 * Parameter: jobs.
 */
export const endedJobsSql = `
select w.id from unnest($1::uuid[]) as w (id)
where (exists (select from jobs.event e where e.stream_id = w.id)
    or exists (select from jobs.event_partition p where p.detached_at is not null and w.id < p.to_id
                and w.id >= coalesce(p.from_id, '${NIL_UUID}')))
  and not exists (select from jobs.queue q where q.job_id = w.id)`;
