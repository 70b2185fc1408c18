import { WORKFLOW_LOCKS, workflowLockSql } from './workflow-lock.js';

/**
 * Removes the bytes of the workflow whose last job was purged longest ago, unless another job uses them now. One
 * workflow per call, so that nobody is blocked for long. `none`: nothing is left; `busy`: a submission holds the hash.
 * Until the build after 0a96e1f it removes nothing while `jobs.submit_jobs` has a text without the new locks.
 * A function, because each of its statements sees what was committed before it: usage is checked after the lock.
 */
export const purgeWorkflowSql = `
create or replace function jobs.purge_next_workflow(out outcome text)
language plpgsql as $$
declare
  next bytea;
begin
  select p.hash into next from jobs.purged_workflow p order by p.purged_at limit 1 for update skip locked;
  if next is null then
    outcome := 'none';
  -- Submissions of the build before take another lock, if its text was applied again after a way back.
  elsif not exists (
    select from pg_catalog.pg_proc f where f.oid = to_regproc('jobs.submit_jobs') and f.prosrc like '%${WORKFLOW_LOCKS}%')
    or not pg_try_advisory_xact_lock(${WORKFLOW_LOCKS}, ${workflowLockSql('substring(next from 1 for 4)')}) then
    update jobs.purged_workflow set purged_at = heddle.clock_now_ms() where hash = next;
    outcome := 'busy';
  else
    delete from jobs.workflow w where w.hash = next and not exists (select from jobs.job j where j.workflow_hash = next);
    outcome := case when found then 'removed' else 'used' end;
    delete from jobs.purged_workflow where hash = next;
  end if;
end $$;
`;
