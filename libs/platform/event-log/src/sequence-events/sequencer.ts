import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';
import { Wakeup } from '../wakeup.js';
import { oldestTransactionSql, type OldestTransactionRow } from './oldest-transaction.js';
import type { SequencerAlarm, SequencerOptions, SequencerTurn } from './sequencer-options.js';

interface TurnRow {
  readonly o_leading: boolean;
  readonly o_epoch: string;
  readonly o_seq: string;
  readonly o_sequenced: number;
  readonly o_lag_ms: number;
  readonly o_waiting_ms: number | null;
  readonly o_held: number;
  readonly o_held_ms: number | null;
  readonly holder: string;
  readonly is_ahead: boolean;
}

/** First pause for events that an open transaction holds back: short, because such transactions are. */
const FIRST_WAITING_MS = 10;
const MAX_WAITING_MS = 100;
const FIRST_BACKOFF_MS = 40;

/**
 * A turn costs as much as about thirty events, so under load a few milliseconds of delay for larger batches pay off.
 */
const BUSY_BATCH = 8;

/**
 * Gives committed events their dense sequence numbers. Any number of sequencers may run: the lease holder works, the
 * others check every `netMs`, so a killed or frozen holder is replaced within `leaseMs + netMs`. A holder that comes
 * back late finds a newer epoch under the cursor's lock and can do no harm.
 */
export class Sequencer {
  readonly holder: string;
  readonly #options: Required<Omit<SequencerOptions, 'holder' | 'onTurn' | 'onAlarm' | 'onError'>> & SequencerOptions;
  readonly #wakeup = new Wakeup();
  #running: Promise<void> | undefined;
  #stopping = false;
  #leader: string | null = null;
  #leaseEnds = Number.NEGATIVE_INFINITY;
  #movedAt = performance.now();
  #alarmedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SequencerOptions) {
    this.#options = {
      leaseMs: 2_000,
      netMs: 500,
      batchWaitMs: 4,
      busyBatchWaitMs: 60,
      batchSize: 2_000,
      alarmMs: 2_000,
      takeOver: false,
      ...options,
    };
    this.holder = options.holder ?? randomUUID();
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** The sequencer that holds the lease, as far as known; null if it is this one, or before the first turn. */
  get leader(): string | null {
    return this.#leader;
  }

  /** True while this sequencer holds the lease, as far as its own clock tells. */
  get leads(): boolean {
    return performance.now() < this.#leaseEnds;
  }

  /**
   * Call this after each commit of events in this process; many calls make one batch. No effect while another process
   * leads.
   */
  nudge(): void {
    if (this.#leader === null) this.#wakeup.nudge();
  }

  /** Checks the log soon, also when another process leads: the lease may be free. */
  look(): void {
    this.#wakeup.nudge();
  }

  /** Finishes the batch in flight and releases the lease, so that the next sequencer need not wait for it to expire. */
  async stop(): Promise<void> {
    if (!this.#running || this.#stopping) return;
    this.#stopping = true;
    this.#wakeup.nudge();
    await this.#running;
    await this.#options.pool
      .query(`select ${this.#options.schema}.release_sequencer($1)`, [this.holder])
      .catch((error: unknown) => this.#options.onError?.(error));
  }

  async #run(): Promise<void> {
    const { batchSize, batchWaitMs, busyBatchWaitMs, netMs } = this.#options;
    let takeOver = this.#options.takeOver;
    let waitMs = 0;
    let failures = 0;
    let busy = false;
    while (!this.#stopping) {
      try {
        const turn = await this.#turn(takeOver);
        takeOver = false;
        failures = 0;
        busy = turn.count >= BUSY_BATCH;
        if (turn.leading && turn.count >= batchSize) continue;
        waitMs =
          turn.leading && turn.waitingMs !== null
            ? Math.min(Math.max(FIRST_WAITING_MS, waitMs * 2), MAX_WAITING_MS, netMs)
            : netMs;
      } catch (error) {
        this.#options.onError?.(error);
        waitMs = backoffMs(failures++, FIRST_BACKOFF_MS, netMs);
      }
      if (await this.#wakeup.wait(waitMs)) {
        waitMs = 0;
        if (!this.#stopping) await delay(busy ? busyBatchWaitMs : batchWaitMs);
      }
    }
  }

  async #turn(takeOver: boolean): Promise<SequencerTurn> {
    const { pool, schema, leaseMs, batchSize } = this.#options;
    const started = performance.now();
    const { rows } = await pool.query<TurnRow>({
      name: `${schema}.sequence_events`,
      text: `select s.*, c.holder, c.txid >= pg_snapshot_xmax(pg_current_snapshot()) as is_ahead
               from ${schema}.sequence_events($1, $2, $3, $4) s, ${schema}.seq_cursor c`,
      values: [this.holder, leaseMs, batchSize, takeOver],
    });
    const row = rows[0];
    if (!row) throw new Error('The sequencer function returned no row.');
    // The name may be one turn old; at worst one wake-up goes to the wrong process.
    this.#leader = row.o_leading || row.holder === this.holder || row.holder === '' ? null : row.holder;
    this.#leaseEnds = row.o_leading ? started + leaseMs : Number.NEGATIVE_INFINITY;
    const turn: SequencerTurn = {
      leading: row.o_leading,
      epoch: BigInt(row.o_epoch),
      seq: BigInt(row.o_seq),
      count: row.o_sequenced,
      lagMs: row.o_lag_ms,
      waitingMs: row.o_waiting_ms,
      held: row.o_held,
      tookMs: performance.now() - started,
    };
    this.#options.onTurn?.(turn);
    if (turn.leading) await this.#watch(turn, row);
    return turn;
  }

  /** Something is stuck: reported again while it lasts, never worked around. */
  async #watch(turn: SequencerTurn, { o_held_ms: heldMs, is_ahead: isAhead }: TurnRow): Promise<void> {
    const { alarmMs, pool, onAlarm } = this.#options;
    if (turn.count > 0 || turn.waitingMs === null) this.#movedAt = performance.now();
    if (!onAlarm || performance.now() - this.#alarmedAt < alarmMs) return;
    const alarms: SequencerAlarm[] = [];
    if (isAhead) alarms.push({ kind: 'restored' });
    // Also measured by the local clock: the database's clock may have jumped.
    const stoodMs = Math.min(turn.waitingMs ?? 0, performance.now() - this.#movedAt);
    if (turn.count === 0 && stoodMs >= alarmMs) {
      const { rows } = await pool.query<OldestTransactionRow>(oldestTransactionSql);
      alarms.push({ kind: 'stalled', waitingMs: stoodMs, oldestTransaction: rows[0]?.description ?? null });
    }
    if (heldMs !== null && heldMs >= alarmMs) alarms.push({ kind: 'held', events: turn.held, heldMs });
    if (alarms.length > 0) this.#alarmedAt = performance.now();
    for (const alarm of alarms) onAlarm(alarm);
  }
}
