import type { ClientBase } from 'pg';

export interface LogBounds {
  readonly first: bigint;
  readonly last: bigint;
  /** The chain before the first number: that of a checkpoint if the log has aged. */
  readonly chainBefore: Buffer;
  /** Null if the log has no such number. */
  readonly chainAtWatermark: Buffer | null;
}

/** In one statement, so that all belong to one moment. */
export async function logBounds(client: ClientBase, watermark: number | null): Promise<LogBounds> {
  const { rows } = await client.query<{
    first: string | null;
    last: string | null;
    before: Buffer | null;
    at: Buffer | null;
  }>(
    `select f.first, (select max(seq) from jobs.event_seq) as last,
            (select chain from jobs.checkpoint where seq = f.first - 1 limit 1) as before,
            (select chain from jobs.event_seq where seq = $1::bigint) as at
       from (select min(seq) as first from jobs.event_seq) f`,
    [watermark],
  );
  const [row] = rows;
  return {
    first: BigInt(row?.first ?? 1),
    last: BigInt(row?.last ?? 0),
    chainBefore: row?.before ?? Buffer.alloc(32),
    chainAtWatermark: row?.at ?? null,
  };
}
