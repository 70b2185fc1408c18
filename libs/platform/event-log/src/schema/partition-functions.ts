import type { SchemaFunction } from '@heddle/platform-database';
import type { PartitionedLog } from './event-partitions.js';

/** One week: the default partition period. */
const WEEK_MS = 604_800_000;

/** Functions that list and create the partitions of `event`. */
export function partitionFunctions(log: PartitionedLog): readonly SchemaFunction[] {
  return [
    { name: 'attached_partitions', sql: attachedPartitionsSql(log) },
    { name: 'make_event_partitions', sql: makePartitionsSql(log) },
  ];
}

/** Read from the catalog, not from `event_partition`: an operator may have attached or detached one. */
function attachedPartitionsSql({ schema, role }: PartitionedLog): string {
  return `
    create or replace function ${schema}.attached_partitions(out name text, out from_id uuid, out to_id uuid) returns setof record
    language sql stable security definer set search_path = pg_catalog as $$
      select c.relname::text, case when b.bound[1] <> 'MINVALUE' then trim(both '''' from b.bound[1])::uuid end,
             case when b.bound[2] <> 'MAXVALUE' then trim(both '''' from b.bound[2])::uuid end
        from pg_inherits i
        join pg_class c on c.oid = i.inhrelid
       cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\((.*)\\) TO \\((.*)\\)') b (bound)
       where i.inhparent = '${schema}.event'::regclass
    $$;
    revoke execute on function ${schema}.attached_partitions() from public;
    grant execute on function ${schema}.attached_partitions() to ${role};`;
}

/**
 * A partition is created separately and then attached, which neither waits for writers nor blocks them. There is no
 * default partition: every attachment would scan it. Its rows are protected by the trigger that comes with the
 * attachment.
 */
function makePartitionsSql({ schema, role }: PartitionedLog): string {
  return `
    -- Sees to it that stream ids of the given instants (milliseconds since 1970) have a partition; gives the names of those that it
    -- made. A partition spans a period, and ends earlier where another one begins.
    create or replace function ${schema}.make_event_partitions(p_period_ms bigint, p_times_ms bigint[]) returns text[]
    language plpgsql security definer set search_path = pg_catalog set lock_timeout = '2s' as $$
    declare
      v_made text[] := '{}';
      v_time bigint;
      v_id uuid;
      v_from uuid;
      v_to uuid;
      v_base text;
      v_name text;
    begin
      if p_period_ms < 1000 then raise exception 'a partition spans a second at least, not % ms', p_period_ms; end if;
      foreach v_time in array p_times_ms[1:60] loop
        v_id := ${schema}.first_event_id(v_time);
        continue when exists (select from ${schema}.attached_partitions() a
          where coalesce(a.from_id <= v_id, true) and coalesce(v_id < a.to_id, true));
        lock table ${schema}.event in share update exclusive mode;
        continue when exists (select from ${schema}.attached_partitions() a
          where coalesce(a.from_id <= v_id, true) and coalesce(v_id < a.to_id, true));
        v_from := greatest(${schema}.first_event_id(v_time - v_time % p_period_ms),
          (select a.to_id from ${schema}.attached_partitions() a where a.to_id <= v_id order by a.to_id desc limit 1));
        v_to := least(${schema}.first_event_id(v_time - v_time % p_period_ms + p_period_ms),
          (select a.from_id from ${schema}.attached_partitions() a where a.from_id > v_id order by a.from_id limit 1));
        v_base := 'event_' || to_char(to_timestamp((('x' || left(replace(v_from::text, '-', ''), 12))::bit(48)::bigint) / 1000)
          at time zone 'UTC', 'YYYYMMDD_HH24MISS');
        v_name := v_base;
        -- A detached partition of that time may lie under the name, or have lain there: what is known of it stays.
        for n in 2 .. 100 loop
          exit when to_regclass(format('${schema}.%I', v_name)) is null
            and not exists (select from ${schema}.event_partition p where p.name = v_name);
          v_name := v_base || '_' || n;
        end loop;
        execute format('
          create table ${schema}.%1$I (like ${schema}.event including constraints);
          alter table ${schema}.%1$I add constraint %2$I unique (stream_id, version);
          create index %3$I on ${schema}.%1$I (txid, position);
          create unique index %4$I on ${schema}.%1$I (stream_id, event_id);
          create unique index %5$I on ${schema}.%1$I (stream_id) where is_terminal;
          create unique index %6$I on ${schema}.%1$I (stream_id, fence, worker_seq) where worker_seq is not null;
          create trigger append_only_truncate before truncate on ${schema}.%1$I
            for each statement execute function ${schema}.refuse_change();
          alter table ${schema}.event attach partition ${schema}.%1$I for values from (%7$L) to (%8$L)',
          v_name, v_name || '_version', v_name || '_place', v_name || '_event_id', v_name || '_one_terminal',
          v_name || '_once_per_worker_seq', v_from, v_to);
        insert into ${schema}.event_partition (name, from_id, to_id) values (v_name, v_from, v_to);
        v_made := v_made || v_name;
      end loop;
      return v_made;
    end $$;
    revoke execute on function ${schema}.make_event_partitions(bigint, bigint[]) from public;
    grant execute on function ${schema}.make_event_partitions(bigint, bigint[]) to ${role};

    -- With the migration, so that no service has to be there first.
    do $$ begin
      perform ${schema}.make_event_partitions(${WEEK_MS},
        array(select (extract(epoch from clock_timestamp()) * 1000)::bigint + n * ${WEEK_MS}::bigint from generate_series(0, 4) n));
    end $$;`;
}
