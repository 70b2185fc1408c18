export interface HeadRow {
  readonly log_id: string;
  readonly seq: string;
  readonly chain: Buffer;
  readonly last: string;
  readonly now: Date;
}

export const headSql = `
select i.log_id, c.seq, c.chain, coalesce((select max(seq) from jobs.checkpoint), 0) as last, heddle.clock_now_ms() as now
from jobs.log_identity i, jobs.seq_cursor c`;

export const insertCheckpointSql = `
insert into jobs.checkpoint (seq, chain, recorded_at, key_id, signature) values ($1, $2, $3, $4, $5) on conflict do nothing`;

export interface ChainRow {
  readonly log_id: string;
  readonly head: string;
  readonly first: string | null;
  readonly chain: Buffer | null;
}

/** The chain at a seq: from its number, or from a checkpoint of it. */
export const chainAtSql = `
select i.log_id, c.seq as head, (select seq from jobs.event_seq order by seq limit 1) as first,
       coalesce((select s.chain from jobs.event_seq s where s.seq = $1), (select k.chain from jobs.checkpoint k where k.seq = $1)) as chain
from jobs.log_identity i, jobs.seq_cursor c`;

/** The newest checkpoint that was also written to a folder. */
export const lastSignedSql = `select seq from jobs.checkpoint where key_id <> '' order by seq desc limit 1`;
