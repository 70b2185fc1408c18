import { intakeLockSql } from './intake-lock.js';

/**
 * Sets which revisions of deployments take jobs, as a version of the deployment says, and answers with those that stand.
 * Waits for the submissions that saw the intake before. A newer version wins; within a version an intake only narrows,
 * so that a replica that looked earlier opens nothing that another one has closed. `revision_lists`: `{1,2}`.
 */
export const setIntakesSql = `
create or replace function jobs.set_intakes(deployments uuid[], versions int[], revision_lists text[], out standing uuid[])
language plpgsql as $$
begin
  standing := '{}';
  -- In one order: two replicas may change the same intakes.
  perform pg_advisory_xact_lock(${intakeLockSql('d.id')}) from (select id from unnest(deployments) as u(id) order by id) d;
  for n in 1 .. cardinality(deployments) loop
    insert into jobs.intake as t (deployment_id, version, revisions)
      values (deployments[n], versions[n], revision_lists[n]::int[])
      on conflict (deployment_id) do update set version = excluded.version, revisions = excluded.revisions
      where t.version < excluded.version or (t.version = excluded.version and t.revisions @> excluded.revisions);
    if found then standing := standing || deployments[n]; end if;
  end loop;
end $$;
`;
