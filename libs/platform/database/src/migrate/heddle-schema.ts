import type { SchemaMigrations } from './schema-migrations.js';

/**
 * Shared by all services: the clock that all SQL reads, and the record of role passwords. The clock is an SQL function,
 * so that PostgreSQL inlines it at no cost and a test can replace it.
 */
export const HEDDLE_SCHEMA: SchemaMigrations = {
  schema: 'heddle',
  migrations: [
    {
      name: '0001-clock',
      up: `
        create function heddle.clock_now() returns timestamptz
          language sql volatile parallel safe as 'select clock_timestamp()';
        create function heddle.clock_now_ms() returns timestamptz
          language sql volatile parallel safe as 'select date_trunc(''milliseconds'', heddle.clock_now())';
        grant usage on schema heddle to public;
      `,
    },
    {
      name: '0002-applied-steps',
      // Lets a service see which steps its schema has, without a permission on any schema's records.
      up: `
        create function heddle.applied_steps(p_schemas text[]) returns setof text
          language plpgsql stable security definer set search_path = pg_catalog as $$
        declare v_schema text;
        begin
          foreach v_schema in array p_schemas loop
            if to_regclass(format('%I.migration', v_schema)) is not null then
              return query execute format('select %L || ''/'' || name from %I.migration', v_schema, v_schema);
            end if;
          end loop;
        end $$;
      `,
    },
    {
      name: '0003-function-hash',
      // Every function text ever applied; `applied` increases, so the highest row of a name is the current one.
      up: `
        create table heddle.function_hash (
          schema text not null,
          name text not null,
          hash text not null check (length(hash) = 64),
          applied bigint generated always as identity,
          primary key (schema, name, hash)
        );
        grant select on heddle.function_hash to public;
      `,
    },
    {
      name: '0004-breaking-step',
      // Steps that older versions cannot work with: these do not know the step, and find it here.
      up: `
        create table heddle.breaking_step (
          schema text not null,
          name text not null,
          why text not null,
          primary key (schema, name)
        );
        grant select on heddle.breaking_step to public;
      `,
    },
  ],
};

/** Moves the database's clock for all later statements; for tests, as the owner. */
export function clockOffsetSql(offsetMs: number): string {
  if (!Number.isSafeInteger(offsetMs)) throw new RangeError('The offset is a whole number of milliseconds.');
  return `create or replace function heddle.clock_now() returns timestamptz language sql volatile parallel safe
          as 'select clock_timestamp() + interval ''${offsetMs} milliseconds'''`;
}

/** Not part of the migrations: roles are created before the first of them. */
export const SERVICE_ROLE_TABLE = `
  create schema if not exists heddle;
  create table if not exists heddle.service_role (
    role text primary key,
    fingerprint text not null
  )`;
