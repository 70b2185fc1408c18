import { EVENT_COLUMNS } from '../schema/event-log-migration.js';

const COLUMNS = [...EVENT_COLUMNS, 'data_digest', 'txid', 'position'].map((column) => `n.${column}`).join(', ');

/**
 * Joins the event `e` of a row of `event_seq` that is aliased `s`. By the row's stream id that reads one partition. Rows of builds
 * that wrote none have a branch of their own, which no other row enters: nothing needs a backfill. `left` keeps the rows whose
 * partition was detached; their events are in `link`.
 */
export function eventOfNumberSql(schema: string, s: string, join: 'inner' | 'left' = 'inner'): string {
  return `${join} join lateral (
    select ${COLUMNS} from ${schema}.event n where n.stream_id = ${s}.stream_id and n.txid = ${s}.txid and n.position = ${s}.position
    union all
    select ${COLUMNS} from ${schema}.event n where ${s}.stream_id is null and n.txid = ${s}.txid and n.position = ${s}.position
  ) e on true`;
}
