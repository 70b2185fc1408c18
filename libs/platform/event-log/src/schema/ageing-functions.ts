import type { SchemaFunction } from '@heddle/platform-database';
import { EVENT_LINK } from './event-link.js';
import type { PartitionedLog } from './event-partitions.js';

/**
 * How a partition leaves the log: copy its links beside the numbers, detach it, and remove the numbers once a
 * checkpoint covers them. The service decides which partition may leave: `is_over` is its condition over the bounds
 * `p_from` and `p_to`.
 */
export function ageingFunctions(log: PartitionedLog, isOver: string): readonly SchemaFunction[] {
  return [
    { name: 'ageable_partition', sql: ageablePartitionSql(log, isOver) },
    { name: 'link_partition', sql: linkPartitionSql(log) },
    { name: 'detach_event_partition', sql: detachPartitionSql(log) },
    { name: 'forget_numbers', sql: forgetNumbersSql(log) },
  ];
}

function ageablePartitionSql({ schema, role }: PartitionedLog, isOver: string): string {
  return `
    create or replace function ${schema}.may_age(p_from uuid, p_to uuid) returns boolean
    language sql stable security definer set search_path = pg_catalog as $$
      -- An hour for ids of a clock that is behind.
      select coalesce(p_to <= ${schema}.first_event_id((extract(epoch from heddle.clock_now()) * 1000)::bigint - 3600000), false)
         and not exists (select from ${schema}.event_held h
                          where h.stream_id < p_to and h.stream_id >= coalesce(p_from, '00000000-0000-0000-0000-000000000000'))
         and (${isOver})
    $$;
    -- The oldest partition whose time is past and whose streams are all over; null where there is none. One that was attached
    -- again stays: a person did that for a reason.
    create or replace function ${schema}.ageable_partition() returns text
    language sql stable security definer set search_path = pg_catalog as $$
      select a.name from ${schema}.attached_partitions() a
       where ${schema}.may_age(a.from_id, a.to_id)
         and not exists (select from ${schema}.event_partition p where p.name = a.name and p.detached_at is not null)
       order by a.to_id limit 1
    $$;
    revoke execute on function ${schema}.may_age(uuid, uuid), ${schema}.ageable_partition() from public;
    grant execute on function ${schema}.ageable_partition() to ${role};`;
}

function linkPartitionSql({ schema, role }: PartitionedLog): string {
  return `
    -- Copies the links of the next events of a partition, in the order of their places, beside their numbers. Gives the place that it
    -- reached, and how many events it read; an event without a number ends it. May be repeated.
    create or replace function ${schema}.link_partition(
      p_name text, p_txid xid8, p_position bigint, p_limit int, out o_txid xid8, out o_position bigint, out o_read int)
    language plpgsql security definer set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
    declare
      v_numbered int;
      v_first bigint;
      v_last bigint;
      v_linked int;
    begin
      perform set_config('synchronous_commit', 'off', true);
      if not exists (select from ${schema}.attached_partitions() a where a.name = p_name) then
        raise exception '% is not a partition of the log', p_name;
      end if;
      o_txid := p_txid;
      o_position := p_position;
      execute format('
        with batch as materialized (
          select e.txid, e.position, e.stream_id, ${EVENT_LINK.replaceAll("'", "''")} as link from ${schema}.%I e
           where (e.txid, e.position) > ($1, $2) order by e.txid, e.position limit $3
        ), numbers as materialized (
          select s.seq, b.stream_id, b.link, s.link is null as is_new from batch b join ${schema}.event_seq s on s.position = b.position
        ), linked as (
          update ${schema}.event_seq s set link = n.link, stream_id = n.stream_id from numbers n
           where s.seq = n.seq and s.link is null and n.is_new returning s.seq
        )
        select (select count(*) from batch)::int, (select count(*) from numbers)::int, (select min(seq) from numbers),
               (select max(seq) from numbers), (select count(*) from linked)::int,
               coalesce((select txid from batch order by txid desc, position desc limit 1), $1),
               coalesce((select position from batch order by txid desc, position desc limit 1), $2)', p_name)
        into o_read, v_numbered, v_first, v_last, v_linked, o_txid, o_position using p_txid, p_position, p_limit;
      if o_read <> v_numbered then
        raise exception '% of the events of % have no number yet', o_read - v_numbered, p_name using errcode = 'object_not_in_prerequisite_state';
      end if;
      insert into ${schema}.event_partition as p (name, from_id, to_id, first_seq, last_seq, events)
        select a.name, a.from_id, a.to_id, v_first, v_last, v_linked from ${schema}.attached_partitions() a where a.name = p_name
        on conflict (name) do update set first_seq = least(p.first_seq, v_first), last_seq = greatest(p.last_seq, v_last),
          events = coalesce(p.events, 0) + v_linked;
    end $$;
    revoke execute on function ${schema}.link_partition(text, xid8, bigint, int) from public;
    grant execute on function ${schema}.link_partition(text, xid8, bigint, int) to ${role};`;
}

/**
 * A session that queues for the lock blocks everyone behind it, so this one gives up at once; the caller retries after
 * a pause.
 */
function detachPartitionSql({ schema, role }: PartitionedLog): string {
  return `
    -- False: it may not leave yet. p_txid and p_position: the place up to which its links were copied.
    create or replace function ${schema}.detach_event_partition(p_name text, p_txid xid8, p_position bigint) returns boolean
    language plpgsql security definer set search_path = pg_catalog set lock_timeout = '20ms' as $$
    declare
      a record;
      v_last bigint := (select p.last_seq from ${schema}.event_partition p where p.name = p_name);
      v_more boolean;
    begin
      select * into a from ${schema}.attached_partitions() t where t.name = p_name;
      if not found or v_last > coalesce((select max(c.seq) from ${schema}.checkpoint c), 0)
        or exists (select from ${schema}.relay_cursor r where r.seq < v_last)
      then
        return false;
      end if;
      lock table only ${schema}.event in access exclusive mode;
      -- Another replica may have been first.
      if not exists (select from ${schema}.attached_partitions() t where t.name = p_name) then return true; end if;
      execute format('select exists (select from ${schema}.%I e where (e.txid, e.position) > ($1, $2))', p_name)
        into v_more using p_txid, p_position;
      if v_more or not ${schema}.may_age(a.from_id, a.to_id) then return false; end if;
      execute format('alter table ${schema}.event detach partition ${schema}.%I', p_name);
      execute format('create trigger append_only_detached before update or delete on ${schema}.%I
        for each statement execute function ${schema}.refuse_change()', p_name);
      update ${schema}.event_partition p set detached_at = heddle.clock_now_ms() where p.name = p_name;
      return true;
    end $$;
    revoke execute on function ${schema}.detach_event_partition(text, xid8, bigint) from public;
    grant execute on function ${schema}.detach_event_partition(text, xid8, bigint) to ${role};`;
}

/**
 * Removes numbers from the first one up to exactly a checkpoint, so that the chain continues from there. The last
 * number stays: followers name the event of their position. The caller passes `o_proven` back (every number up to it
 * has its link), so that one call checks a bounded number of rows.
 */
function forgetNumbersSql({ schema, role }: PartitionedLog): string {
  return `
    create or replace function ${schema}.forget_numbers(p_limit int, p_proven bigint, out o_gone int, out o_proven bigint)
    language plpgsql security definer set search_path = pg_catalog as $$
    declare
      v_first bigint := (select s.seq from ${schema}.event_seq s order by s.seq limit 1);
      v_until bigint := (select c.seq from ${schema}.checkpoint c where c.seq >= v_first order by c.seq limit 1);
      v_limit bigint := least(
        (select s.seq from ${schema}.event_seq s order by s.seq desc limit 1),
        (select min(p.first_seq) from ${schema}.event_partition p where p.detached_at is null and p.events > 0),
        (select min(r.seq) + 1 from ${schema}.relay_cursor r));
      v_unlinked bigint;
      v_seen bigint;
    begin
      o_gone := 0;
      o_proven := greatest(p_proven, v_first - 1);
      if v_until is null or v_until >= v_limit then return; end if;
      if o_proven < v_until then
        select min(n.seq) filter (where n.link is null), max(n.seq) into v_unlinked, v_seen
          from (select s.seq, s.link from ${schema}.event_seq s where s.seq > o_proven and s.seq <= v_until
                 order by s.seq limit p_limit) n;
        o_proven := coalesce(v_unlinked - 1, v_seen, v_until);
        if o_proven < v_until then return; end if;
      end if;
      perform set_config('synchronous_commit', 'off', true);
      with first as (select s.seq from ${schema}.event_seq s where s.seq <= v_until order by s.seq limit p_limit)
      delete from ${schema}.event_seq s using first f where s.seq = f.seq;
      get diagnostics o_gone = row_count;
    end $$;
    revoke execute on function ${schema}.forget_numbers(int, bigint) from public;
    grant execute on function ${schema}.forget_numbers(int, bigint) to ${role};`;
}
