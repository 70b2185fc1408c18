import type pg from 'pg';
import { EVENT_SELECT, storedEvent, type EventRow, type SequencedEvent, type StoredEvent } from './stored-event.js';

interface SequencedRow extends EventRow {
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

/** The next sequenced events after `seq`, dense and in order; fewer than `limit` when the end is near. */
export async function readFrom(
  pool: pg.Pool | pg.ClientBase,
  schema: string,
  seq: bigint,
  limit: number,
): Promise<readonly SequencedEvent[]> {
  const { rows } = await pool.query<SequencedRow>({
    name: `${schema}.read_from`,
    // The subquery keeps the plan a walk along two indexes, whatever the planner thinks of the tables' sizes.
    text: `select s.seq, s.epoch, s.chain, ${EVENT_SELECT}
             from (select * from ${schema}.event_seq where seq > $1 order by seq limit $2) s
             join ${schema}.event e on e.txid = s.txid and e.position = s.position
            order by s.seq`,
    values: [String(seq), limit],
  });
  return rows.map((row) => ({
    ...storedEvent(row),
    seq: BigInt(row.seq),
    epoch: BigInt(row.epoch),
    chain: row.chain,
  }));
}
