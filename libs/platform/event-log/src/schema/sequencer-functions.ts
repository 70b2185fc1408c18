import type { SchemaFunction } from '@heddle/platform-database';
import { EVENT_LINK } from './event-link.js';

/**
 * One call sequences one batch. All decisions about order happen under the lock of the cursor row, and a single
 * statement, hence a single snapshot, selects the rows of a batch. An event is eligible once every transaction that
 * began before its own has ended (txid below the snapshot's xmin), so nothing can appear later in front of a numbered
 * event.
 *
 * An event whose predecessor in the stream has no number yet is held, never skipped: the cursor passes it, it waits in
 * event_held, and gets its number right after its predecessor.
 *
 * Most events are the first of their stream or stand right behind their predecessor: only the others have it looked up.
 *
 * Each number row keeps the stream id, so that a lookup of its event reads one partition.
 */
export function sequencerFunctions(schema: string): readonly SchemaFunction[] {
  return [
    { name: 'order_events', sql: orderEventsSql(schema) },
    { name: 'sequence_events', sql: sequenceEventsSql(schema) },
  ];
}

function orderEventsSql(schema: string): string {
  return `
    -- Gives a batch, in (txid, position) order, the order in which it is to be numbered. Rare: only for a batch in which some event
    -- stands before its predecessor, or whose stream is held already.
    create or replace function ${schema}.order_events(
      p_cursor ${schema}.seq_cursor, p_streams uuid[], p_txids xid8[], p_positions bigint[],
      out o_streams uuid[], out o_txids xid8[], out o_positions bigint[], out o_links bytea[])
    language plpgsql security definer set search_path = pg_catalog as $$
    declare
      r record;
      v_version int;
      v_txid xid8;
      v_position bigint;
    begin
      o_streams := '{}';
      o_txids := '{}';
      o_positions := '{}';
      for r in
        select b.stream_id, b.version, b.txid, b.position, p.txid as before_txid, p.position as before_position
          from unnest(p_streams, p_txids, p_positions) with ordinality u (stream_id, txid, position, n)
          join ${schema}.event b on b.stream_id = u.stream_id and b.txid = u.txid and b.position = u.position
          left join ${schema}.event p on p.stream_id = b.stream_id and p.version = b.version - 1
         order by u.n
      loop
        if r.version > 1 and coalesce(r.before_position <> all (o_positions), true) and (
             r.before_position is null
             or (r.before_txid, r.before_position) > (p_cursor.txid, p_cursor.position)
             or exists (select from ${schema}.event_held h where h.stream_id = r.stream_id and h.version = r.version - 1))
        then
          insert into ${schema}.event_held values (r.stream_id, r.version, r.txid, r.position, heddle.clock_now());
          continue;
        end if;
        v_version := r.version;
        v_txid := r.txid;
        v_position := r.position;
        loop
          o_streams := o_streams || r.stream_id;
          o_txids := o_txids || v_txid;
          o_positions := o_positions || v_position;
          v_version := v_version + 1;
          delete from ${schema}.event_held h where h.stream_id = r.stream_id and h.version = v_version
            returning h.txid, h.position into v_txid, v_position;
          exit when not found;
        end loop;
      end loop;
      select coalesce(array_agg(${EVENT_LINK} order by u.n), '{}') into o_links
        from unnest(o_streams, o_txids, o_positions) with ordinality u (stream_id, txid, position, n)
        join ${schema}.event e on e.stream_id = u.stream_id and e.txid = u.txid and e.position = u.position;
    end $$;
    revoke execute on function ${schema}.order_events(${schema}.seq_cursor, uuid[], xid8[], bigint[]) from public;`;
}

function sequenceEventsSql(schema: string): string {
  return `
    create or replace function ${schema}.sequence_events(
      p_holder text, p_lease_ms int, p_limit int, p_take_over boolean,
      out o_leading boolean, out o_epoch bigint, out o_seq bigint, out o_sequenced int, out o_lag_ms float8,
      out o_waiting_ms float8, out o_held int, out o_held_ms float8)
    language plpgsql security definer set search_path = pg_catalog
    -- Only the walk along the index is right, however small the table was when the plan was made.
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off
    set plan_cache_mode = force_generic_plan set jit = off as $$
    declare
      c ${schema}.seq_cursor;
      v_now timestamptz := heddle.clock_now();
      v_lease interval := make_interval(secs => p_lease_ms / 1000.0);
      v_streams uuid[];
      v_txids xid8[];
      v_positions bigint[];
      v_links bytea[];
      v_out_of_order boolean;
      v_link bytea;
      v_chain bytea;
      v_chains bytea[] := '{}';
      v_first timestamptz;
      v_last int;
      v_last_txid xid8;
      v_last_position bigint;
    begin
      o_sequenced := 0;
      o_lag_ms := 0;
      select * into strict c from ${schema}.seq_cursor where id = 1;
      o_leading := ${schema}.may_lead(c.holder, c.lease_until, p_holder, v_now, v_lease, p_take_over);
      -- Without work and with a young lease nothing is written: an idle log costs no disk.
      if o_leading and (c.holder <> p_holder or c.lease_until not between v_now + v_lease / 2 and v_now + v_lease or exists (
        select from ${schema}.event e
         where (e.txid, e.position) > (c.txid, c.position) and e.txid < pg_snapshot_xmin(pg_current_snapshot())))
      then
        select * into strict c from ${schema}.seq_cursor where id = 1 for update;
        o_leading := ${schema}.may_lead(c.holder, c.lease_until, p_holder, v_now, v_lease, p_take_over);
        if o_leading then
          if c.holder <> p_holder then
            c.epoch := c.epoch + 1;
          end if;
          select array_agg(b.stream_id), array_agg(b.txid), array_agg(b.position), array_agg(b.link), bool_or(b.out_of_order),
                 min(b.recorded_at)
            into v_streams, v_txids, v_positions, v_links, v_out_of_order, v_first
            from (
              select e.stream_id, e.txid, e.position, e.recorded_at, ${EVENT_LINK} as link,
                     (e.version > 1 and (e.stream_id, e.version - 1) is distinct from (e.stream_before, e.version_before)
                      and not exists (select from ${schema}.event p where p.stream_id = e.stream_id and p.version = e.version - 1
                        and (p.txid, p.position) < (e.txid, e.position)))
                     or (exists (select from ${schema}.event_held)
                         and exists (select from ${schema}.event_held h where h.stream_id = e.stream_id)) as out_of_order
                from (
                  select w.*, lag(w.stream_id) over in_order as stream_before, lag(w.version) over in_order as version_before
                    from ${schema}.event w
                   where (w.txid, w.position) > (c.txid, c.position) and w.txid < pg_snapshot_xmin(pg_current_snapshot())
                  window in_order as (order by w.txid, w.position)
                   order by w.txid, w.position
                   limit p_limit
                ) e
            ) b;
          if v_txids is null then
            -- Only the lease is renewed: losing that in a crash costs nothing.
            perform set_config('synchronous_commit', 'off', true);
          else
            o_lag_ms := greatest(0, extract(epoch from v_now - v_first) * 1000);
            v_last := cardinality(v_txids);
            v_last_txid := v_txids[v_last];
            v_last_position := v_positions[v_last];
            if v_out_of_order then
              select s.o_streams, s.o_txids, s.o_positions, s.o_links into v_streams, v_txids, v_positions, v_links
                from ${schema}.order_events(c, v_streams, v_txids, v_positions) s;
            end if;
            v_chain := c.chain;
            foreach v_link in array v_links loop
              v_chain := sha256(v_chain || v_link);
              v_chains := v_chains || v_chain;
            end loop;
            c.chain := v_chain;
            o_sequenced := cardinality(v_chains);
            insert into ${schema}.event_seq (seq, txid, position, epoch, chain, stream_id)
              select c.seq + u.n, u.txid, u.position, c.epoch, u.chain, u.stream_id
                from unnest(v_txids, v_positions, v_chains, v_streams) with ordinality u (txid, position, chain, stream_id, n);
            c.seq := c.seq + o_sequenced;
            c.txid := v_last_txid;
            c.position := v_last_position;
          end if;
          update ${schema}.seq_cursor
             set txid = c.txid, position = c.position, seq = c.seq, chain = c.chain, epoch = c.epoch,
                 holder = p_holder, lease_until = v_now + v_lease
           where id = 1;
        end if;
      end if;
      o_epoch := c.epoch;
      o_seq := c.seq;
      select extract(epoch from v_now - e.recorded_at) * 1000 into o_waiting_ms
        from ${schema}.event e
       where (e.txid, e.position) > (c.txid, c.position)
       order by e.txid, e.position limit 1;
      select count(*), extract(epoch from v_now - min(h.held_at)) * 1000 into o_held, o_held_ms from ${schema}.event_held h;
    end $$;`;
}
