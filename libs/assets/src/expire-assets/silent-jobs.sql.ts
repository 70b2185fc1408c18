import type { JobId } from '@heddle/contracts-messages';
import type { Statement } from '../assets-database/assets-database.js';
import { eventful } from '../publish-events/eventful-statement.js';

export interface SilentJobRow {
  readonly job_id: JobId;
}

/**
 * Jobs with an output that no event has named, or a hold that none has confirmed, for this long; in id order.
 * Parameters: the job to start after, maximum rows, ages of an output and of a hold in milliseconds.
 */
export const SILENT_JOBS: Statement = {
  name: 'assets.silent_jobs',
  text: `(select job_id from assets.asset
          where job_id > $1 and confirmed_at is null
            and created_at <= heddle.clock_now() - $3 * interval '1 millisecond'
          order by job_id limit $2)
         union
         (select job_id from assets.hold
          where job_id > $1 and firm_at is null
            and created_at <= heddle.clock_now() - $4 * interval '1 millisecond'
          order by job_id limit $2)
         order by job_id limit $2`,
};

/** Deletes holds and outputs that no event has named, of jobs that are not in the log. Parameter: jobs. */
export const DELETE_UNKNOWN_JOBS = eventful(
  'assets.delete_unknown_jobs',
  (record) => `with unheld as (
           delete from assets.hold where job_id = any($1::uuid[]) and firm_at is null returning hash
         ), unnamed as (
           delete from assets.asset where job_id = any($1::uuid[]) and confirmed_at is null returning *
         )${record('AssetDeleted', 'unnamed', 'unnamed')}
         insert into assets.collect_candidate (hash) select hash from unheld union all select hash from unnamed`,
);

/** The submissions of these jobs were accepted: their holds stay until the jobs end. Parameter: jobs. */
export const FIRM_HOLDS: Statement = {
  name: 'assets.firm_holds',
  text: `update assets.hold set firm_at = heddle.clock_now() where job_id = any($1::uuid[]) and firm_at is null`,
};
