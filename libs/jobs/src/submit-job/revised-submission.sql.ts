import { intakeLockSql } from '../watch-pools/intake-lock.js';

/**
 * What a job of a pinned environment adds to the statement of priced submissions: its queue row names the revision, and
 * a revision that takes no jobs any more refuses it. The shared lock keeps an intake open until the job is committed;
 * who closes it waits (watch-pools/set-intakes.sql.ts). `intakes_at` has the index of each item's pool, 0 where
 * environments have no revisions.
 */
export const REVISED = {
  inputs: 'revisions int[], intake_deployments uuid[], intake_revisions int[], intakes_at int[], ',
  variables: `
  is_open boolean[];`,
  lockIntakes: `
  for n in 1 .. cardinality(intake_deployments) loop
    perform pg_advisory_xact_lock_shared(${intakeLockSql('intake_deployments[n]')});
    is_open[n] := coalesce((select intake_revisions[n] = any(t.revisions) from jobs.intake t
      where t.deployment_id = intake_deployments[n]), true);
  end loop;`,
  refuseClosed: `if not coalesce(is_open[intakes_at[i]], true) then
      verdict := 'revision_closed';
    els`,
  repeated: `'revision_closed'`,
  queueColumn: ', revision',
  queueValue: ', revisions[i]',
} as const;
