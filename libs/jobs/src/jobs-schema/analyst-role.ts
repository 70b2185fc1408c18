import type { SchemaMigrations } from '@heddle/platform-database';

/**
 * The role `heddle_analyst` reads the log and the tables of jobs, and nothing else: no workflows, keys, secrets or
 * credentials. A step that adds a column to `jobs.job` grants it too.
 *
 * Roles belong to the server, so another database may have made this one. An owner who may not create roles gets no
 * analyst: an administrator creates the role, and `heddle migrate` is not stopped by it.
 */
export const analystRole: SchemaMigrations['migrations'][number] = {
  name: '0026-analyst-role',
  up: `
do $$
declare columns text;
begin
  begin
    if not exists (select from pg_roles where rolname = 'heddle_analyst') then create role heddle_analyst nologin; end if;
  exception when insufficient_privilege or duplicate_object or unique_violation then null;
  end;
  if not exists (select from pg_roles where rolname = 'heddle_analyst') then return; end if;
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
   where attrelid = 'jobs.job'::regclass and attnum > 0 and not attisdropped and attname <> 'idempotency_key';
  grant usage on schema jobs to heddle_analyst;
  grant select on jobs.event, jobs.event_seq, jobs.event_held, jobs.seq_cursor, jobs.checkpoint, jobs.job_output to heddle_analyst;
  execute format('grant select (%s) on jobs.job to heddle_analyst', columns);
end $$;
`,
};
