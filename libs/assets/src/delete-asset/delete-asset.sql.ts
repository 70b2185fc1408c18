import type { JobId } from '@heddle/contracts-messages';
import { IS_LIVE } from '../assets-database/asset-row.js';
import type { Statement } from '../assets-database/assets-database.js';
import { released } from '../follow-jobs/follow-jobs.sql.js';
import { eventful } from '../publish-events/eventful-statement.js';

/** Locks the record, so that no hold can be placed during the decision. Parameters: asset, account. */
export const LOCK_ASSET: Statement = {
  name: 'assets.lock_asset',
  text: `select a.hash from assets.asset a where a.id = $1 and a.account_id = $2 and ${IS_LIVE} for update`,
};

export interface RecordUseRow {
  readonly held_by_job: boolean;
  readonly output_of_retained_job: boolean;
  readonly moderation_hold: boolean;
}

/** A separate statement: it must see what was committed while the lock was waited for. Parameter: asset. */
export const RECORD_USE: Statement = {
  name: 'assets.record_use',
  text: `select exists (
                  select from assets.hold h
                  where h.asset_id = a.id and h.released_at is null
                ) as held_by_job,
                coalesce(a.retained_until > heddle.clock_now(), false) as output_of_retained_job,
                exists (select from assets.verdict v where v.hash = a.hash and v.held) as moderation_hold
         from assets.asset a where a.id = $1`,
};

export interface HolderRow {
  readonly job_id: JobId;
  /** No message has named its job within the maximum time of a submission. */
  readonly is_overdue: boolean;
}

/**
 * Jobs with the asset as an input, as far as this service knows. Parameters: asset, account, the job to start after,
 * maximum rows, the maximum time of a submission in milliseconds.
 */
export const FIND_HOLDERS: Statement = {
  name: 'assets.find_holders',
  text: `select h.job_id,
                h.firm_at is null and h.created_at <= heddle.clock_now() - $5 * interval '1 millisecond' as is_overdue
         from assets.hold h
         where h.asset_id = $1 and h.account_id = $2 and h.job_id > $3 and h.released_at is null
         order by h.job_id limit $4::int`,
};

/**
 * Releases the holds of jobs that have ended or were never created, as the message of each job's end will do.
 * Parameter: jobs.
 */
export const RELEASE_ENDED: Statement = {
  name: 'assets.release_ended',
  text: `with ${released('$1')}
         insert into assets.collect_candidate (hash) select hash from released`,
};

/** The blob may have lost its last record: the collector checks. Parameter: asset. */
export const DELETE_ASSET = eventful(
  'assets.delete_asset',
  (
    record,
  ) => `with gone as (delete from assets.asset where id = $1 returning *)${record('AssetDeleted', 'gone', 'deleted')}
         insert into assets.collect_candidate (hash) select hash from gone`,
);
