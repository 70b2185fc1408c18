import { EVENT_COLUMNS } from '../schema/event-log-migration.js';

const COLUMNS = [...EVENT_COLUMNS, 'data_digest', 'txid', 'position'].map((column) => `n.${column}`).join(', ');

/**
 * Joins the event `e` of an `event_seq` row aliased `s`, by the row's stream id, which reads one partition. Rows of
 * older builds have no stream id; they take a branch of their own, so no backfill is needed. `left` keeps rows whose
 * partition was detached; their events are in `link`.
 */
export function eventOfNumberSql(schema: string, s: string, join: 'inner' | 'left' = 'inner'): string {
  return `${join} join lateral (
    select ${COLUMNS} from ${schema}.event n where n.stream_id = ${s}.stream_id and n.txid = ${s}.txid and n.position = ${s}.position
    union all
    select ${COLUMNS} from ${schema}.event n where ${s}.stream_id is null and n.txid = ${s}.txid and n.position = ${s}.position
  ) e on true`;
}
