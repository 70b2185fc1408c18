import { eventOfNumberSql } from '@heddle/platform-event-log';
import { JOBS_RELAY } from '../jobs-schema/jobs-migrations.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

export interface DepthRow {
  readonly waiting: number;
  readonly running: number;
}

export const depthSql = `
select (select coalesce(sum(waiting), 0)::int from jobs.queue_depth where account_id = '${WHOLE_DEPLOYMENT}'::uuid) as waiting,
  (select count(*)::int from jobs.queue where state <> 'queued') as running`;

export interface RelayLagRow {
  readonly events: string;
  readonly seconds: string;
}

/** Number of events that the relay has still to publish, and the age of the oldest. */
export const relayLagSql = `
select (select max(seq) from jobs.seq_cursor) - c.seq as events, coalesce(extract(epoch from heddle.clock_now() - (
    select e.recorded_at from jobs.event_seq s ${eventOfNumberSql('jobs', 's')}
    where s.seq = c.seq + 1)), 0) as seconds
from jobs.relay_cursor c where c.consumer = '${JOBS_RELAY}'`;
