import { eventOfNumberSql } from '@heddle/platform-event-log';

export interface ClockRow {
  readonly now: number;
  /** Time of the last sequenced event. */
  readonly newest: number | null;
  /** Position of that event; later ones may have been written. */
  readonly position: string;
}

export const clockSql = `
select (extract(epoch from heddle.clock_now()) * 1000)::float8 as now, n.newest, coalesce(n.position, 0)::text as position
  from (select 1) one left join lateral (
    select (extract(epoch from e.recorded_at) * 1000)::float8 as newest, e.position
      from (select * from jobs.event_seq order by seq desc limit 1) s ${eventOfNumberSql('jobs', 's')}) n on true`;
