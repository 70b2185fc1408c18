import type pg from 'pg';
import type { LogPosition } from './unsequenced-events.js';

/** Where a log begins and ends, in one snapshot. */
export interface LogEnds {
  /** The first remaining number; if none remains, the number after the cursor. */
  readonly first: bigint;
  /**
   * The first number without a link, which therefore cannot be removed yet; if all have links, the number after the
   * last.
   */
  readonly firstKept: bigint;
  /** The last number; if none remains in an aged log, the cursor's number. */
  readonly last: bigint;
  /** The chain stored at `last`. */
  readonly stored: Buffer | null;
  readonly cursor: LogPosition & { readonly seq: bigint; readonly chain: Buffer };
  /** The highest seq that any reader has reached. */
  readonly relayed: bigint;
  /** A partition was detached, so numbers may be gone for good. */
  readonly hasAged: boolean;
}

interface EndsRow {
  readonly first: string | null;
  readonly first_kept: string | null;
  readonly last: string | null;
  readonly stored: Buffer | null;
  readonly seq: string;
  readonly chain: Buffer;
  readonly txid: string;
  readonly position: string;
  readonly relayed: string;
  readonly has_aged: boolean;
}

export async function logEnds(client: pg.ClientBase, schema: string): Promise<LogEnds> {
  const { rows } = await client.query<EndsRow>(`
    select (select min(seq) from ${schema}.event_seq) as first,
           (select seq from ${schema}.event_seq where link is null order by seq limit 1) as first_kept, l.seq as last, l.chain as stored,
           c.seq, c.chain, c.txid::text, c.position::text,
           (select coalesce(max(seq), 0) from ${schema}.relay_cursor) as relayed,
           exists (select from ${schema}.event_partition where detached_at is not null) as has_aged
      from ${schema}.seq_cursor c
      left join lateral (select seq, chain from ${schema}.event_seq order by seq desc limit 1) l on true
     where c.id = 1`);
  const row = rows[0];
  if (row === undefined) throw new Error(`${schema}.seq_cursor has no row`);
  const seq = BigInt(row.seq);
  const last = row.last === null ? (row.has_aged ? seq : 0n) : BigInt(row.last);
  return {
    first: row.first === null ? last + 1n : BigInt(row.first),
    firstKept: row.first_kept === null ? last + 1n : BigInt(row.first_kept),
    last,
    stored: row.stored,
    cursor: { seq, chain: row.chain, txid: row.txid, position: row.position },
    relayed: BigInt(row.relayed),
    hasAged: row.has_aged,
  };
}
