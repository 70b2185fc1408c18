import type { SchemaFunction } from '@heddle/platform-database';
import type { PartitionedLog } from './event-partitions.js';

/** Relay functions that changed since their release (released-relay.ts describes what they promise). */
export function relayFunctions(log: PartitionedLog): readonly SchemaFunction[] {
  return [{ name: 'claim_relay', sql: claimRelaySql(log) }];
}

/** A new consumer starts at the beginning of the log. */
function claimRelaySql({ schema }: PartitionedLog): string {
  return `
    create or replace function ${schema}.claim_relay(
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
        insert into ${schema}.relay_cursor
          values (p_consumer, coalesce((select s.seq - 1 from ${schema}.event_seq s order by s.seq limit 1), 0), 0, '', '-infinity')
          on conflict do nothing;
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
    end $$;`;
}
