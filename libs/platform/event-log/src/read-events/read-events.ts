import type pg from 'pg';
import { eventOfLink } from './event-of-link.js';
import { eventOfNumberSql } from './event-of-number.js';
import { EVENT_SELECT, storedEvent, type EventRow, type SequencedEvent, type StoredEvent } from './stored-event.js';

interface SequencedRow extends Omit<EventRow, 'event_id'> {
  /** Null: its partition was detached, or somebody removed it. */
  readonly event_id: string | null;
  readonly link: Buffer | null;
  readonly seq: string;
  readonly epoch: string;
  readonly chain: Buffer;
}

/** The events of one stream, in version order; empty for an unknown stream. */
export async function readStream(
  pool: pg.Pool | pg.ClientBase,
  schema: string,
  streamId: string,
  afterVersion = 0,
): Promise<readonly StoredEvent[]> {
  const { rows } = await pool.query<EventRow>({
    name: `${schema}.read_stream`,
    text: `select ${EVENT_SELECT} from ${schema}.event e where e.stream_id = $1 and e.version > $2 order by e.version`,
    values: [streamId, afterVersion],
  });
  return rows.map(storedEvent);
}

/** The ids of the newest streams, newest first; they are version 7, so their order is that of time. */
export async function newestStreams(
  pool: pg.Pool | pg.ClientBase,
  schema: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ stream_id: string }>({
    name: `${schema}.newest_streams`,
    text: `select stream_id from ${schema}.event where version = 1 order by stream_id desc limit $1`,
    values: [limit],
  });
  return rows.map(({ stream_id }) => stream_id);
}

/**
 * The next sequenced events after `seq`, dense and in order; fewer than `limit` when the end is near. Of a number whose partition was
 * detached it is the envelope, from the link. Numbers below the log's first checkpoint may be gone: then it begins behind them.
 */
export async function readFrom(
  pool: pg.Pool | pg.ClientBase,
  schema: string,
  seq: bigint,
  limit: number,
): Promise<readonly SequencedEvent[]> {
  const { rows } = await pool.query<SequencedRow>({
    name: `${schema}.read_from`,
    // The subquery keeps the plan a walk along two indexes, whatever the planner thinks of the tables' sizes.
    text: `select s.seq, s.epoch, s.chain, s.link, ${EVENT_SELECT}
             from (select * from ${schema}.event_seq where seq > $1 order by seq limit $2) s
             ${eventOfNumberSql(schema, 's', 'left')}
            order by s.seq`,
    values: [String(seq), limit],
  });
  return rows.filter(isThere).map((row) => ({
    ...eventOfRow(row),
    seq: BigInt(row.seq),
    epoch: BigInt(row.epoch),
    chain: row.chain,
  }));
}

/** A number without an event and without a link shows as a gap. */
function isThere({ event_id: eventId, link }: SequencedRow): boolean {
  return eventId !== null || link !== null;
}

function eventOfRow(row: SequencedRow): StoredEvent {
  return row.event_id === null
    ? eventOfLink(row.link ?? Buffer.alloc(0))
    : storedEvent({ ...row, event_id: row.event_id });
}
