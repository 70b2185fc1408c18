import { newUuid } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import type { LogFormat } from './log-format.js';

/** Another replica of the jobs service that is not known to be gone. */
export interface Replica {
  readonly id: string;
  /** Address of its internal port. */
  readonly address: string;
  /** The log format that it reads. */
  readonly reads: number;
}

interface ReplicaRow extends Replica {
  readonly beat: string;
}

interface Watched {
  readonly beat: string;
  /** Our looks since it last moved. */
  readonly misses: number;
}

/** A replica whose row did not move for this many looks, one per heartbeat, is gone. */
const GONE_AFTER_MISSES = 10;
/** Maximum rows of one look; a jobs service has a handful of replicas. */
const MOST = 200;

/** A previous replica at this address is gone. */
const beatSql = `
with off as materialized (select set_config('synchronous_commit', 'off', true)),
beat as (
  insert into jobs.replica as r (id, address, reads) select $1::uuid, $2::text, $3::int from off
  on conflict (id) do update set beat = r.beat + 1, address = excluded.address, reads = excluded.reads, seen_at = heddle.clock_now_ms()
),
before as (delete from jobs.replica where address = $2::text and id <> $1::uuid)
select id, address, reads, beat from jobs.replica where id <> $1::uuid and address <> $2::text order by started_at desc limit ${MOST}`;

/**
 * The table of live replicas, as this one sees it. No clock decides: a row that did not move during ten successful
 * looks is gone, so neither a clock jump nor a database outage makes a replica look dead.
 */
export class ReplicaTable {
  readonly id = newUuid();
  #peers: readonly Replica[] = [];
  readonly #watched = new Map<string, Watched>();
  #left = false;
  #lastLook: Promise<void> = Promise.resolve();
  #judgedAt = Number.NEGATIVE_INFINITY;
  #isBeat = false;

  constructor(
    private readonly pool: Pool,
    /** Address of this replica; null: no peers and no row. */
    readonly address: string | null,
    /** Heartbeat interval; default 1000. */
    private readonly beatMs: number,
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
    await this.pool.query('delete from jobs.replica where id = $1', [this.id]);
  }

  async #look(address: string): Promise<void> {
    const { rows } = await this.pool.query<ReplicaRow>({
      name: 'replica-beat',
      text: beatSql,
      values: [this.id, address, this.format.reads],
    });
    this.#judge(rows);
    const gone = rows.filter(({ id }) => this.#isGone(id)).map(({ id }) => id);
    this.#peers = rows
      .filter(({ id }) => !gone.includes(id))
      .map(({ id, address: at, reads }) => ({ id, address: at, reads }));
    if (gone.length > 0)
      await this.pool.query('delete from jobs.replica where id = any($1::uuid[])', [plainArray(gone)]);
    if (this.#isBeat) await this.format.look(Math.min(...rows.map(({ reads }) => reads), this.format.reads));
  }

  #judge(rows: readonly ReplicaRow[]): void {
    const before = new Map(this.#watched);
    this.#watched.clear();
    // Looks between two heartbeats, for a job's credentials, do not count.
    const isBeat = performance.now() - this.#judgedAt > 0.9 * this.beatMs;
    this.#isBeat = isBeat;
    if (isBeat) this.#judgedAt = performance.now();
    for (const { id, beat } of rows) {
      const known = before.get(id);
      this.#watched.set(id, { beat, misses: known?.beat === beat ? known.misses + Number(isBeat) : 0 });
    }
  }

  #isGone(id: string): boolean {
    return (this.#watched.get(id)?.misses ?? 0) >= GONE_AFTER_MISSES;
  }
}
