import { newUuid } from '@heddle/contracts-messages';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { plainArray } from '../group-commit/byte-arena.js';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';
import type { LogFormat } from './log-format.js';
import { heartbeatSql, removeReplicasSql } from './replicas.sql.js';
import type { Replica, ReplicaRow } from './replicas.sql.js';

interface Watched {
  readonly beat: string;
  /** Our looks since it last moved. */
  readonly misses: number;
}

/** A replica whose row did not move for this many looks, one per heartbeat, is gone. */
const GONE_AFTER_MISSES = 10;
/**
 * The table of live replicas, as this one sees it. No clock decides: a row that did not move during ten successful
 * looks is gone, so neither a clock jump nor a database outage makes a replica look dead.
 */
export class ReplicaTable implements BackgroundTask, Observed {
  readonly failure = 'the table of replicas was not read';
  readonly needsClock = false;
  readonly id = newUuid();
  #peers: readonly Replica[] = [];
  readonly #watched = new Map<string, Watched>();
  #left = false;
  #lastLook: Promise<void> = Promise.resolve();
  #judgedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly pool: Pool,
    /** Address of this replica; null: no peers and no row. */
    readonly address: string | null,
    /** Heartbeat interval; default 1000. */
    private readonly heartbeatMs: number,
    private readonly format: LogFormat,
  ) {}

  /** As of the last look. */
  get peers(): readonly Replica[] {
    return this.#peers;
  }

  /** True if a live replica reads a newer log format than this one. */
  get othersReadMore(): boolean {
    return this.#peers.some(({ reads }) => reads > this.format.reads);
  }

  /**
   * Call it before this replica does anything: inserts its row and checks that it can read the log. Throws
   * `LogFormatTooNewError`.
   */
  async join(): Promise<void> {
    await this.look();
    await this.format.join();
  }

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.peersLive, () => this.#peers.length);
  }

  intervalMs(): number {
    return this.heartbeatMs;
  }

  async run(): Promise<boolean> {
    await this.look();
    return false;
  }

  /** Sends a heartbeat and reads the other replicas. */
  async look(): Promise<void> {
    if (this.#left) return;
    if (this.address === null) return await this.format.look(this.format.reads);
    const look = this.#look(this.address);
    this.#lastLook = look.catch(() => undefined);
    await look;
  }

  /** Removes this replica from the table; known peers stay known for a last notification. */
  async leave(): Promise<void> {
    if (this.address === null || this.#left) return;
    this.#left = true;
    // A look in flight would insert the row again.
    await this.#lastLook;
    await this.pool.query(removeReplicasSql, [plainArray([this.id])]);
  }

  async #look(address: string): Promise<void> {
    const { rows } = await this.pool.query<ReplicaRow>({
      name: 'replica-heartbeat',
      text: heartbeatSql,
      values: [this.id, address, this.format.reads],
    });
    const isHeartbeat = this.#judge(rows);
    const gone = rows.filter(({ id }) => this.#isGone(id)).map(({ id }) => id);
    this.#peers = rows
      .filter(({ id }) => !gone.includes(id))
      .map(({ id, address: at, reads }) => ({ id, address: at, reads }));
    if (gone.length > 0) await this.pool.query(removeReplicasSql, [plainArray(gone)]);
    if (isHeartbeat) await this.format.look(Math.min(...rows.map(({ reads }) => reads), this.format.reads));
  }

  /** True if this look counts as a heartbeat: looks between two heartbeats, for a job's credentials, do not count. */
  #judge(rows: readonly ReplicaRow[]): boolean {
    const before = new Map(this.#watched);
    this.#watched.clear();
    const isHeartbeat = performance.now() - this.#judgedAt > 0.9 * this.heartbeatMs;
    if (isHeartbeat) this.#judgedAt = performance.now();
    for (const { id, beat } of rows) {
      const known = before.get(id);
      this.#watched.set(id, { beat, misses: known?.beat === beat ? known.misses + Number(isHeartbeat) : 0 });
    }
    return isHeartbeat;
  }

  #isGone(id: string): boolean {
    return (this.#watched.get(id)?.misses ?? 0) >= GONE_AFTER_MISSES;
  }
}
