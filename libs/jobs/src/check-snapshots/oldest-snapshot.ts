import type { SchemaFunction } from '@heddle/platform-database';

export interface OldestSnapshotRow {
  readonly pid: number | null;
  readonly application: string | null;
  readonly role: string | null;
  /** Age of its transaction, at least that of the snapshot. */
  readonly seconds: number | null;
}

export const oldestSnapshotSql = 'select pid, application, role, seconds from jobs.oldest_snapshot()';

/**
 * The session of this database whose snapshot has held back vacuum the longest; sessions of other databases do not.
 * Runs with the owner's permissions, because a role sees only its own sessions; an owner that is not a superuser needs
 * `pg_read_all_stats` to see all. The age uses the server's own clock, like `xact_start`.
 */
export const oldestSnapshot: SchemaFunction = {
  name: 'oldest_snapshot',
  sql: `
    create or replace function jobs.oldest_snapshot(out pid int, out application text, out role text, out seconds float8)
    language sql volatile security definer set search_path = pg_catalog as $$
      select a.pid, coalesce(nullif(a.application_name, ''), 'unnamed'), a.usename::text,
             extract(epoch from clock_timestamp() - a.xact_start)::float8
        from pg_stat_activity a
       where a.backend_xmin is not null and a.backend_type = 'client backend' and a.datname = current_database()
         and a.pid <> pg_backend_pid()
       order by a.xact_start limit 1
    $$;
    revoke execute on function jobs.oldest_snapshot() from public;
    grant execute on function jobs.oldest_snapshot() to heddle_jobs;`,
};
