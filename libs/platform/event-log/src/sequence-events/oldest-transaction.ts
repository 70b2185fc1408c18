export interface OldestTransactionRow {
  readonly description: string;
}

/** The session that holds the oldest transaction id of the server: look at it first when the log stalls. */
export const oldestTransactionSql = `
  select format('pid %s, %s, role %s, database %s', pid, coalesce(nullif(application_name, ''), 'unnamed'), usename, datname) as description
    from pg_stat_activity
   where backend_xid is not null and pid <> pg_backend_pid()
   order by age(backend_xid) desc limit 1`;
