import { eventOfNumberSql } from '@heddle/platform-event-log';
import { RELAY_CONSUMER } from './registry-relay.js';

/**
 * Seconds since the oldest event was committed that the relay has not published: the next one with a number, one that the
 * sequencer holds, or one that it has not reached. No row before the relay has begun.
 */
export const relayLagSql = `
select coalesce(extract(epoch from heddle.clock_now() - least(
    (select e.recorded_at from registry.event_seq s ${eventOfNumberSql('registry', 's')} where s.seq = r.seq + 1),
    (select min(h.held_at) from registry.event_held h),
    (select e.recorded_at from registry.event e where (e.txid, e.position) > (c.txid, c.position)
      order by e.txid, e.position limit 1)
  )), 0)::float8 as seconds
from registry.relay_cursor r cross join registry.seq_cursor c where r.consumer = '${RELAY_CONSUMER}'`;

export interface UnpublishedAgeRow {
  readonly seconds: number;
}
