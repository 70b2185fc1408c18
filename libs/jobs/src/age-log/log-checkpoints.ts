import type { CheckpointFolder, FoundCheckpoint, SignedCheckpoint } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import type { JobsLog } from '../jobs-log.js';

interface HeadRow {
  readonly log_id: string;
  readonly seq: string;
  readonly chain: Buffer;
  readonly last: string;
  readonly now: Date;
}

const headSql = `
select i.log_id, c.seq, c.chain, coalesce((select max(seq) from jobs.checkpoint), 0) as last, heddle.clock_now_ms() as now
from jobs.log_identity i, jobs.seq_cursor c`;

const insertSql = `
insert into jobs.checkpoint (seq, chain, recorded_at, key_id, signature) values ($1, $2, $3, $4, $5) on conflict do nothing`;

interface PlaceRow {
  readonly log_id: string;
  readonly head: string;
  readonly first: string | null;
  readonly chain: Buffer | null;
}

/** The chain at a seq: from its number, or from a checkpoint of it. */
const placeSql = `
select i.log_id, c.seq as head, (select seq from jobs.event_seq order by seq limit 1) as first,
       coalesce((select s.chain from jobs.event_seq s where s.seq = $1), (select k.chain from jobs.checkpoint k where k.seq = $1)) as chain
from jobs.log_identity i, jobs.seq_cursor c`;

/**
 * Checkpoints of the chain: in the database for ageing, and signed in a folder outside it that an attacker of the
 * database cannot reach. While the folder contradicts the log, no checkpoint is written and so nothing ages: an
 * operator must decide.
 */
export class LogCheckpoints {
  #trouble: string | null = null;
  #writtenAt = performance.now();

  constructor(
    private readonly pool: Pool,
    private readonly folder: CheckpointFolder | null,
    private readonly log: JobsLog,
  ) {}

  /** Why the folder and the log do not match, and what to do; null if they do. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Seconds since this process last wrote a checkpoint, found the log unchanged, or started. */
  get ageSeconds(): number {
    return (performance.now() - this.#writtenAt) / 1000;
  }

  /** Compares the newest checkpoint in the folder with the log, and logs a contradiction once. */
  async check(): Promise<void> {
    const before = this.#trouble;
    this.#trouble = await this.#contradiction();
    if (this.#trouble !== null && this.#trouble !== before) this.log.failed(this.#trouble, undefined);
  }

  /**
   * Writes a checkpoint if the log has grown since the last one; the file first, so that the folder is never behind the
   * database.
   */
  async write(): Promise<void> {
    if (this.#trouble !== null) return;
    const { rows } = await this.pool.query<HeadRow>(headSql);
    const row = rows[0];
    if (row !== undefined && BigInt(row.seq) > BigInt(row.last)) await this.#write(row);
    this.#writtenAt = performance.now();
  }

  async #write({ log_id: logId, seq, chain, now }: HeadRow): Promise<void> {
    const checkpoint = { logId, seq: BigInt(seq), chain, recordedAt: now.toISOString() };
    let signed: SignedCheckpoint = { ...checkpoint, keyId: '', signature: Buffer.alloc(0) };
    if (this.folder !== null) {
      signed = await this.folder.sign(checkpoint);
      await this.folder.write(signed);
    }
    await this.pool.query(insertSql, [seq, chain, signed.recordedAt, signed.keyId, signed.signature]);
  }

  async #contradiction(): Promise<string | null> {
    if (this.folder === null) return null;
    const found = await this.folder.newest();
    if (found === null) return await this.#missing(this.folder.folder);
    const reason = await this.#reasonAgainst(found);
    return reason === null
      ? null
      : `the checkpoint ${found.file} does not match the log: ${reason}. No further checkpoint is written and no partition is detached ` +
          'until it does; see docs/how-to/age-the-log.md';
  }

  async #missing(folder: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ seq: string }>(
      `select seq from jobs.checkpoint where key_id <> '' order by seq desc limit 1`,
    );
    const seq = rows[0]?.seq;
    return seq === undefined
      ? null
      : `the folder ${folder} has no checkpoint, but one of seq ${seq} was written. No further checkpoint is written and no partition ` +
          'is detached until the files are restored; see docs/how-to/age-the-log.md';
  }

  async #reasonAgainst(found: FoundCheckpoint): Promise<string | null> {
    if ('fault' in found) return found.fault;
    const { logId, seq, chain } = found.checkpoint;
    const { rows } = await this.pool.query<PlaceRow>(placeSql, [String(seq)]);
    const row = rows[0];
    if (row === undefined) return 'the database has no log';
    if (row.log_id !== logId) return `it belongs to another log, ${logId}; this one is ${row.log_id}`;
    if (BigInt(row.head) < seq)
      return `the log ends at seq ${row.head}, before seq ${seq}: it was cut, or restored from a backup`;
    if (row.chain === null) return `the log begins at seq ${row.first ?? row.head} and has no checkpoint of seq ${seq}`;
    return row.chain.equals(chain) ? null : `the log has another chain at seq ${seq}: an event up to there was changed`;
  }
}
