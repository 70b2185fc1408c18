import { eventOfNumberSql } from '@heddle/platform-event-log';

export interface EndsRow {
  readonly head: string;
  readonly after: string | null;
}

/** The end of the log, and the event at a given seq. Parameter: the seq. */
export const endsSql = `
select c.seq as head, (
  select coalesce(e.event_id, encode(substring(s.link for 16), 'hex')::uuid) from jobs.event_seq s ${eventOfNumberSql('jobs', 's', 'left')} where s.seq = $1::bigint
) as after
from jobs.seq_cursor c where c.id = 1`;
