import type { SchemaFunction } from '@heddle/platform-database';

/**
 * What each replica reads, and the newest log format that may be written. Rows of builds before this step have no
 * format and count as 1.
 */
export const logFormatSql = `
alter table jobs.replica add column reads int not null default 1 check (reads > 0);
create table jobs.log_format (
  id int primary key default 1 check (id = 1),
  floor int not null check (floor > 0)
);
insert into jobs.log_format (floor) values (1);
grant select on jobs.log_format to heddle_jobs;
`;

/**
 * A starting replica inserts its row and then reads the floor, waiting for a transaction that raises it. Each statement
 * of a volatile function has its own snapshot: live replicas are read after the lock, so either the starting replica is
 * seen here, or it sees the new floor.
 */
export const raiseLogFormat: SchemaFunction = {
  name: 'raise_log_format',
  sql: `
    create or replace function jobs.raise_log_format(p_format int) returns int
    language plpgsql volatile security definer set search_path = pg_catalog as $$
    declare
      v_floor int;
    begin
      select floor into strict v_floor from jobs.log_format where id = 1 for update;
      if v_floor < p_format and not exists (select from jobs.replica where reads < p_format) then
        update jobs.log_format set floor = p_format where id = 1;
        return p_format;
      end if;
      return v_floor;
    end $$;
    create or replace function jobs.log_format_now() returns int
    language sql volatile security definer set search_path = pg_catalog as $$
      select floor from jobs.log_format where id = 1 for share
    $$;
    revoke execute on function jobs.raise_log_format(int), jobs.log_format_now() from public;
    grant execute on function jobs.raise_log_format(int), jobs.log_format_now() to heddle_jobs;`,
};
