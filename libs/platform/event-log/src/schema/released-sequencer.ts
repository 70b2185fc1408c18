/**
 * Frozen as released; `sequencerFunctions` is the current text.
 *
 * One call sequences one batch. All decisions about order happen under the lock of the cursor row, and a single
 * statement, hence a single snapshot, selects the rows of a batch. An event is eligible once every transaction that
 * began before its own has ended (txid below the snapshot's xmin), so nothing can appear later in front of a numbered
 * event.
 *
 * An event whose predecessor in the stream has no number yet is held, never skipped: the cursor passes it, it waits in
 * event_held, and gets its number right after its predecessor.
 */
export function releasedSequencerSql(schema: string, link: string): string {
  return `
    -- Nobody's lease, the caller's own, one that ran out, or one further ahead than anybody could have taken it: a clock that went back.
    create function ${schema}.may_lead(
      p_holder text, p_until timestamptz, p_caller text, p_now timestamptz, p_lease interval, p_take_over boolean) returns boolean
    language sql immutable as $$
      select p_take_over or p_holder = p_caller or p_until <= p_now or p_until > p_now + 2 * p_lease
    $$;

    -- Gives a batch, in (txid, position) order, the order in which it is to be numbered. Rare: only for a batch in which some event
    -- stands before its predecessor, or whose stream is held already.
    create function ${schema}.order_by_version(
      p_cursor ${schema}.seq_cursor, p_txids xid8[], p_positions bigint[],
      out o_txids xid8[], out o_positions bigint[], out o_links bytea[])
    language plpgsql security definer set search_path = pg_catalog as $$
    declare
      r record;
      v_version int;
      v_txid xid8;
      v_position bigint;
    begin
      o_txids := '{}';
      o_positions := '{}';
      for r in
        select b.stream_id, b.version, b.txid, b.position, p.txid as before_txid, p.position as before_position
          from unnest(p_txids, p_positions) with ordinality u (txid, position, n)
          join ${schema}.event b on b.txid = u.txid and b.position = u.position
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
          o_txids := o_txids || v_txid;
          o_positions := o_positions || v_position;
          v_version := v_version + 1;
          delete from ${schema}.event_held h where h.stream_id = r.stream_id and h.version = v_version
            returning h.txid, h.position into v_txid, v_position;
          exit when not found;
        end loop;
      end loop;
      select coalesce(array_agg(${link} order by u.n), '{}') into o_links
        from unnest(o_txids, o_positions) with ordinality u (txid, position, n)
        join ${schema}.event e on e.txid = u.txid and e.position = u.position;
    end $$;

    create function ${schema}.release_sequencer(p_holder text) returns void
    language sql security definer set search_path = pg_catalog as $$
      update ${schema}.seq_cursor set lease_until = '-infinity' where id = 1 and holder = p_holder
    $$;

    create function ${schema}.sequence_events(
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
      v_txids xid8[];
      v_positions bigint[];
      v_links bytea[];
      v_out_of_order boolean;
      v_link bytea;
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
          select array_agg(b.txid), array_agg(b.position), array_agg(b.link), bool_or(b.out_of_order), min(b.recorded_at)
            into v_txids, v_positions, v_links, v_out_of_order, v_first
            from (
              select e.txid, e.position, e.recorded_at, ${link} as link,
                     (e.version > 1 and (p.txid is null or (p.txid, p.position) > (e.txid, e.position)))
                     or exists (select from ${schema}.event_held h where h.stream_id = e.stream_id) as out_of_order
                from ${schema}.event e
                left join ${schema}.event p on p.stream_id = e.stream_id and p.version = e.version - 1
               where (e.txid, e.position) > (c.txid, c.position) and e.txid < pg_snapshot_xmin(pg_current_snapshot())
               order by e.txid, e.position
               limit p_limit
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
              select s.o_txids, s.o_positions, s.o_links into v_txids, v_positions, v_links
                from ${schema}.order_by_version(c, v_txids, v_positions) s;
            end if;
            foreach v_link in array v_links loop
              c.chain := sha256(c.chain || v_link);
              v_chains := v_chains || c.chain;
            end loop;
            o_sequenced := cardinality(v_chains);
            insert into ${schema}.event_seq (seq, txid, position, epoch, chain)
              select c.seq + u.n, u.txid, u.position, c.epoch, u.chain
                from unnest(v_txids, v_positions, v_chains) with ordinality u (txid, position, chain, n);
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
    end $$;
  `;
}
