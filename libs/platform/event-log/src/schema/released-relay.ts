/**
 * Frozen as released; `claim_relay` has been replaced since (`relayFunctions`).
 *
 * The cursor of a named consumer. Only its holder moves it, only forward and only under the epoch that the holder was
 * given: a holder that was frozen cannot move it when it comes back. The cursor follows the effect, so losing its last
 * move in a crash only repeats deliveries.
 */
export function releasedRelaySql(schema: string): string {
  return `
    create function ${schema}.claim_relay(
      p_consumer text, p_holder text, p_lease_ms int, p_take_over boolean, out o_leading boolean, out o_epoch bigint, out o_seq bigint)
    language plpgsql security definer set search_path = pg_catalog as $$
    declare
      c ${schema}.relay_cursor;
      v_now timestamptz := heddle.clock_now();
      v_lease interval := make_interval(secs => p_lease_ms / 1000.0);
    begin
      perform set_config('synchronous_commit', 'off', true);
      select * into c from ${schema}.relay_cursor where consumer = p_consumer;
      if not found then
        insert into ${schema}.relay_cursor values (p_consumer, 0, 0, '', '-infinity') on conflict do nothing;
        select * into strict c from ${schema}.relay_cursor where consumer = p_consumer;
      end if;
      o_leading := ${schema}.may_lead(c.holder, c.lease_until, p_holder, v_now, v_lease, p_take_over);
      if o_leading and (c.holder <> p_holder or c.lease_until not between v_now + v_lease / 2 and v_now + v_lease) then
        select * into strict c from ${schema}.relay_cursor where consumer = p_consumer for update;
        o_leading := ${schema}.may_lead(c.holder, c.lease_until, p_holder, v_now, v_lease, p_take_over);
        if o_leading then
          c.epoch := c.epoch + (c.holder <> p_holder)::int;
          update ${schema}.relay_cursor set epoch = c.epoch, holder = p_holder, lease_until = v_now + v_lease where consumer = p_consumer;
        end if;
      end if;
      o_epoch := c.epoch;
      o_seq := c.seq;
    end $$;

    create function ${schema}.move_relay(p_consumer text, p_holder text, p_epoch bigint, p_seq bigint, p_lease_ms int) returns boolean
    language plpgsql security definer set search_path = pg_catalog as $$
    begin
      perform set_config('synchronous_commit', 'off', true);
      update ${schema}.relay_cursor
         set seq = p_seq, lease_until = heddle.clock_now() + make_interval(secs => p_lease_ms / 1000.0)
       where consumer = p_consumer and holder = p_holder and epoch = p_epoch and seq < p_seq;
      return found;
    end $$;

    create function ${schema}.release_relay(p_consumer text, p_holder text) returns void
    language sql security definer set search_path = pg_catalog as $$
      update ${schema}.relay_cursor set lease_until = '-infinity' where consumer = p_consumer and holder = p_holder
    $$;
  `;
}
