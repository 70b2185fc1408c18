/**
 * One row per job: the end of its newest attempt's output. Stored as bytes, because output may contain characters that
 * the text type refuses.
 */
export const logTablesSql = `
create table logs.execution_log (
  job_id uuid primary key,
  account_id uuid not null,
  deployment_id uuid not null,
  fence int not null check (fence > 0),
  content bytea not null check (octet_length(content) <= 1048576),
  truncated boolean not null,
  complete boolean not null,
  captured_at timestamptz(3) not null,
  -- That of the job: the row goes with it, or by itself where nobody told of the job's end.
  expires_at timestamptz(3) not null
);
create index execution_log_expiry on logs.execution_log (expires_at);

grant select, insert, update, delete on logs.execution_log to heddle_logs;
`;
