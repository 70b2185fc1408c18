import type { BackgroundLogger } from '@heddle/platform-database';
import type { CheckpointFolder, FoundCheckpoint, SignedCheckpoint } from '@heddle/platform-event-log';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';
import { chainAtSql, headSql, insertCheckpointSql, lastSignedSql } from './log-checkpoints.sql.js';
import type { ChainRow, HeadRow } from './log-checkpoints.sql.js';

/**
 * Checkpoints of the chain: in the database for ageing, and signed in a folder outside it that an attacker of the
 * database cannot reach. While the folder contradicts the log, no checkpoint is written and so nothing ages: an
 * operator must decide.
 */
export class LogCheckpoints implements Observed {
  #trouble: string | null = null;
  #writtenAt = performance.now();

  constructor(
    private readonly pool: Pool,
    private readonly folder: CheckpointFolder | null,
    private readonly log: BackgroundLogger,
  ) {}

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.checkpointAge, () => this.ageSeconds);
  }

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
    if (this.#trouble !== null && this.#trouble !== before) this.log.error(this.#trouble, undefined);
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
    await this.pool.query(insertCheckpointSql, [seq, chain, signed.recordedAt, signed.keyId, signed.signature]);
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
    const { rows } = await this.pool.query<{ seq: string }>(lastSignedSql);
    const seq = rows[0]?.seq;
    return seq === undefined
      ? null
      : `the folder ${folder} has no checkpoint, but one of seq ${seq} was written. No further checkpoint is written and no partition ` +
          'is detached until the files are restored; see docs/how-to/age-the-log.md';
  }

  async #reasonAgainst(found: FoundCheckpoint): Promise<string | null> {
    if ('fault' in found) return found.fault;
    const { logId, seq, chain } = found.checkpoint;
    const { rows } = await this.pool.query<ChainRow>(chainAtSql, [String(seq)]);
    const row = rows[0];
    if (row === undefined) return 'the database has no log';
    if (row.log_id !== logId) return `it belongs to another log, ${logId}; this one is ${row.log_id}`;
    if (BigInt(row.head) < seq)
      return `the log ends at seq ${row.head}, before seq ${seq}: it was cut, or restored from a backup`;
    if (row.chain === null) return `the log begins at seq ${row.first ?? row.head} and has no checkpoint of seq ${seq}`;
    return row.chain.equals(chain) ? null : `the log has another chain at seq ${seq}: an event up to there was changed`;
  }
}
