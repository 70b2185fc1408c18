export interface PartitionCounts {
  readonly attached: number;
  readonly detached: number;
  /** Seconds since the end of the oldest attached partition; negative if it is in the future. */
  readonly oldest: number;
}

export const countsSql = `
select (select count(*)::int from jobs.attached_partitions()) as attached,
       (select count(*)::int from jobs.event_partition where detached_at is not null) as detached,
       (select extract(epoch from heddle.clock_now())::float8 - (('x' || left(replace(p.to_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)::float8
          from jobs.attached_partitions() p order by p.to_id limit 1) as oldest`;

/** The oldest partition that may leave the log; null if there is none. */
export const ageableSql = 'select jobs.ageable_partition() as name';

/** How far the links of a partition were copied. */
export interface LinkedRow {
  readonly o_txid: string;
  readonly o_position: string;
  readonly o_read: number;
}

/** $1: partition; $2, $3: transaction and position of the last copied link; $4: number of links. */
export const linkSql = 'select * from jobs.link_partition($1, $2, $3, $4)';

/** $1: partition; $2, $3: transaction and position of its last link. */
export const detachSql = 'select jobs.detach_event_partition($1, $2, $3) as done';

export interface RemovedRow {
  readonly o_gone: number;
  readonly o_proven: string | null;
}

/** $1: number of seqs; $2: every seq up to this one has its link. */
export const removeNumbersSql = 'select o_gone, o_proven from jobs.forget_numbers($1, $2)';
