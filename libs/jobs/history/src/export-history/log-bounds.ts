import type { ClientBase } from 'pg';

export interface LogBounds {
  /** The first number that can be exported: the next one of a checkpoint if the log has aged. */
  readonly first: bigint;
  readonly last: bigint;
  /** The chain before the first number. */
  readonly chainBefore: Buffer;
  /** Null if the log has no such number. */
  readonly chainAtWatermark: Buffer | null;
}

/**
 * In one statement, so that all belong to one moment. A log that has aged may begin between two checkpoints: what it
 * still has before the later one cannot be verified, as the chain before it is gone. Without a later checkpoint, the
 * first event that is left gives the chain of the next one.
 */
export async function logBounds(client: ClientBase, watermark: number | null): Promise<LogBounds> {
  const { rows } = await client.query<{
    first: string | null;
    last: string | null;
    before_seq: string | null;
    before: Buffer | null;
    at: Buffer | null;
  }>(
    `select f.first, (select max(seq) from jobs.event_seq) as last, b.seq as before_seq, b.chain as before,
            (select chain from jobs.event_seq where seq = $1::bigint) as at
       from (select min(seq) as first from jobs.event_seq) f
       left join lateral (
         select seq, chain from (
           (select 1 as rank, seq, chain from jobs.checkpoint where seq >= f.first - 1 order by seq limit 1)
           union all
           (select 2, seq, chain from jobs.event_seq where seq = f.first)) c
          where f.first > 1 order by rank limit 1) b on true`,
    [watermark],
  );
  const [row] = rows;
  const before = row?.before_seq ?? null;
  return {
    first: before === null ? BigInt(row?.first ?? 1) : BigInt(before) + 1n,
    last: BigInt(row?.last ?? 0),
    chainBefore: row?.before ?? Buffer.alloc(32),
    chainAtWatermark: row?.at ?? null,
  };
}
