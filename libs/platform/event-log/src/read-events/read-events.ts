import type pg from 'pg';
import { eventOfLink } from './event-of-link.js';
import { eventOfNumberSql } from './event-of-number.js';
import {
  EVENT_SELECT,
  storedEvent,
  type EventRow,
  type NumberedEvent,
  type SequencedEvent,
  type StoredEvent,
} from './stored-event.js';

interface SequencedRow extends Omit<EventRow, 'event_id'> {
  /** Null: the partition was detached, or the event was deleted by hand. */
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

/** The same with their numbers in the whole log, which the newest events may not have yet. */
export async function readNumbered(
  pool: pg.Pool | pg.ClientBase,
  schema: string,
  streamId: string,
): Promise<readonly NumberedEvent[]> {
  const { rows } = await pool.query<EventRow & { readonly seq: string | null; readonly chain: Buffer | null }>({
    name: `${schema}.read_numbered`,
    text: `select s.seq, s.chain, ${EVENT_SELECT} from ${schema}.event e
             left join ${schema}.event_seq s on s.position = e.position and s.txid = e.txid
            where e.stream_id = $1 order by e.version`,
    values: [streamId],
  });
  return rows.map((row) => ({
    ...storedEvent(row),
    seq: row.seq === null ? null : BigInt(row.seq),
    chain: row.chain,
  }));
}

/** Ids of the newest streams, newest first. The ids are UUID v7, so id order is time order. */
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
 * The next sequenced events after `seq`, dense and in order; fewer than `limit` near the end. An event in a detached
 * partition comes from its link, as envelope only. If numbers below the first checkpoint are gone, the first remaining
 * number comes first.
 */
export async function readFrom(
  pool: pg.Pool | pg.ClientBase,
  schema: string,
  seq: bigint,
  limit: number,
): Promise<readonly SequencedEvent[]> {
  const { rows } = await pool.query<SequencedRow>({
    name: `${schema}.read_from`,
    // The subquery forces a walk along two indexes, whatever the planner knows about table sizes.
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

/** A number with neither event nor link is a gap. */
function isThere({ event_id: eventId, link }: SequencedRow): boolean {
  return eventId !== null || link !== null;
}

function eventOfRow(row: SequencedRow): StoredEvent {
  return row.event_id === null
    ? eventOfLink(row.link ?? Buffer.alloc(0))
    : storedEvent({ ...row, event_id: row.event_id });
}
