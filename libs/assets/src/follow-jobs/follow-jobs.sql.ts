import type { Statement } from '../assets-database/assets-database.js';
import { eventful } from '../publish-events/eventful-statement.js';

/**
 * Confirms the holds of submitted jobs. One that was released is placed again if its record is still live, but
 * unconfirmed: the message may be older than the end of its job, so the jobs service is asked later. One released by an
 * end is not placed. Parameters, of equal length: jobs, accounts, assets.
 */
export const CONFIRM_HOLDS: Statement = {
  name: 'assets.confirm_holds',
  text: `with wanted as (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as w (job_id, account_id, asset_id)),
         firm as (
           update assets.hold h set firm_at = heddle.clock_now() where h.job_id = any($1::uuid[]) and h.firm_at is null
         )
         insert into assets.hold (job_id, asset_id, account_id, hash, created_at)
         select distinct on (w.job_id, w.asset_id) w.job_id, a.id, a.account_id, a.hash, now.at
         from wanted w join assets.asset a on a.id = w.asset_id and a.account_id = w.account_id,
              (select heddle.clock_now() as at) now
         on conflict do nothing`,
};

const confirmOutputs = `update assets.asset a set confirmed_at = heddle.clock_now()
         from unnest($1::uuid[], $2::uuid[]) as w (job_id, asset_id)
         where a.id = w.asset_id and a.job_id = w.job_id and a.confirmed_at is null`;

/**
 * The jobs' own events name these outputs: they stay as long as their job. Parameters, of equal length: jobs, assets.
 */
export const CONFIRM_OUTPUTS: Statement = { name: 'assets.confirm_outputs', text: confirmOutputs };

/**
 * An ended job holds nothing: `released` has the hash of each hold released by an end. `jobs`: number of the parameter.
 */
export const released = (jobs: '$1' | '$3'): string => `held as (
           select h.job_id, h.asset_id, h.hash from assets.hold h
           where h.job_id = any(${jobs}::uuid[]) and h.released_at is null
           order by h.job_id, h.asset_id for update
         ), released as (
           update assets.hold h set released_at = now.at, firm_at = coalesce(h.firm_at, now.at), hash = null
           from held, (select heddle.clock_now() as at) now
           where h.job_id = held.job_id and h.asset_id = held.asset_id
           returning held.hash
         )`;

/**
 * Ended jobs hold nothing. Outputs are confirmed first; then those that the jobs of the last list do not have are
 * deleted, so that list may only name jobs whose outputs are all known. Parameters: jobs and assets as for
 * `CONFIRM_OUTPUTS`, ended jobs, and those of them whose outputs are all named here or were before.
 */
export const END_JOBS = eventful(
  'assets.end_jobs',
  (record) => `with confirmed as (${confirmOutputs}),
         ${released('$3')},
         unnamed as (
           delete from assets.asset a where a.job_id = any($4::uuid[]) and a.confirmed_at is null and not exists (
             select from unnest($1::uuid[], $2::uuid[]) as w (job_id, asset_id)
             where a.id = w.asset_id and a.job_id = w.job_id
           )
           returning *
         )${record('AssetDeleted', 'unnamed', 'unnamed')}
         insert into assets.collect_candidate (hash) select hash from released union all select hash from unnamed`,
);
