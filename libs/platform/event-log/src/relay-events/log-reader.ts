import { randomUUID } from 'node:crypto';
import { backoffMs } from '@heddle/contracts-messages';
import type pg from 'pg';
import { readFrom } from '../read-events/read-events.js';
import type { SequencedEvent } from '../read-events/stored-event.js';
import { Wakeup } from '../wakeup.js';

export interface LogReaderOptions {
  readonly pool: pg.Pool;
  readonly schema: string;
  /** Names the cursor; across all processes one reader per name works at a time. */
  readonly consumer: string;
  /**
   * Receives the next events in seq order. The cursor moves when it resolves; when it throws, the same events are
   * delivered again. `StoppedBefore` moves the cursor to just before the named event and releases the lease.
   */
  readonly handle: (events: readonly SequencedEvent[]) => Promise<void>;
  readonly holder?: string;
  /** Default 2000. */
  readonly leaseMs?: number;
  /** Poll interval without a nudge; default 500. */
  readonly netMs?: number;
  /** Maximum events per delivery; default 500. */
  readonly batchSize?: number;
  /** See `SequencerOptions`. */
  readonly takeOver?: boolean;
  /** Returns false to leave the cursor to other processes for now. */
  readonly mayLead?: () => boolean;
  readonly onError?: (error: unknown, retryInMs: number) => void;
}

/** Thrown by `handle`: everything before `seq` was handled; this process cannot handle the event at `seq`. */
export class StoppedBefore extends Error {
  override readonly name = 'StoppedBefore';
  constructor(
    readonly seq: bigint,
    why: string,
    cause: unknown,
  ) {
    super(why, { cause });
  }
}

interface Prefetched {
  readonly after: bigint;
  readonly events: Promise<readonly SequencedEvent[]>;
}

const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 5_000;

/**
 * Delivers the log to one consumer, at least once and in order: read after the cursor, deliver, move the cursor. A
 * crash before the last step repeats the delivery, so consumers must recognize duplicates by event id or seq. A frozen
 * reader whose lease expired must claim again before it delivers more; its old epoch can no longer move the cursor.
 */
export class LogReader {
  readonly holder: string;
  readonly #options: Required<Omit<LogReaderOptions, 'holder' | 'mayLead' | 'onError'>> & LogReaderOptions;
  readonly #wakeup = new Wakeup();
  #running: Promise<void> | undefined;
  #stopping = false;
  #seq = 0n;
  #epoch: bigint | undefined;
  #leaseEnds = 0;
  #leader: string | null = null;
  #prefetched: Prefetched | null = null;

  constructor(options: LogReaderOptions) {
    this.#options = { leaseMs: 2_000, netMs: 500, batchSize: 500, takeOver: false, ...options };
    this.holder = options.holder ?? randomUUID();
  }

  /** The last handled event, as far as this reader knows. */
  get seq(): bigint {
    return this.#seq;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** The reader that holds the lease, as far as known; null if it is this one, or before the first poll. */
  get leader(): string | null {
    return this.#leader;
  }

  /** True while this reader holds the lease, as far as its own clock tells. */
  get leads(): boolean {
    return this.#epoch !== undefined && performance.now() < this.#leaseEnds + this.#options.leaseMs / 2;
  }

  /** Call this when this process's sequencer has numbered events. No effect while another process reads. */
  nudge(): void {
    if (this.#leader === null) this.#wakeup.nudge();
  }

  /** Polls soon, also when another process reads: the lease may be free. */
  look(): void {
    this.#wakeup.nudge();
  }

  /** Waits for the delivery in flight, then releases the lease. */
  async stop(): Promise<void> {
    if (!this.#running || this.#stopping) return;
    this.#stopping = true;
    this.#wakeup.nudge();
    await this.#running;
    await this.#release();
  }

  async #run(): Promise<void> {
    const { batchSize, netMs, onError } = this.#options;
    let takeOver = this.#options.takeOver;
    let failures = 0;
    while (!this.#stopping) {
      try {
        const leading = await this.#lead(takeOver);
        takeOver = false;
        const delivered = leading ? await this.#deliver() : 0;
        failures = 0;
        if (delivered < batchSize && !this.#stopping) await this.#wakeup.wait(netMs);
      } catch (error) {
        const retryInMs = backoffMs(failures++, FIRST_BACKOFF_MS, MAX_BACKOFF_MS);
        this.#epoch = undefined;
        onError?.(error, retryInMs);
        if (error instanceof StoppedBefore) await this.#release();
        await this.#sleepUnlessStopping(retryInMs);
      }
    }
  }

  /** Claims the cursor, or renews the claim after half the lease. The local clock only decides when to ask. */
  async #lead(takeOver: boolean): Promise<boolean> {
    const { leaseMs } = this.#options;
    if (this.#epoch !== undefined && performance.now() < this.#leaseEnds - leaseMs / 2) return true;
    if (this.#options.mayLead?.() === false) {
      this.#epoch = undefined;
      await this.#seeWhoLeads();
      return false;
    }
    const asked = performance.now();
    const claim = await this.#claim(takeOver);
    if (!claim.leading) {
      this.#epoch = undefined;
      return false;
    }
    this.#epoch = claim.epoch;
    this.#seq = claim.seq;
    this.#leaseEnds = asked + leaseMs / 2;
    return true;
  }

  async #deliver(): Promise<number> {
    const { pool, schema, batchSize, handle } = this.#options;
    const prefetched = this.#prefetched;
    this.#prefetched = null;
    const isNext = prefetched !== null && prefetched.after === this.#seq;
    const events = await (isNext ? prefetched.events : readFrom(pool, schema, this.#seq, batchSize));
    const last = events.at(-1);
    if (!last) return 0;
    if (events[0]?.seq !== this.#seq + 1n || last.seq !== this.#seq + BigInt(events.length)) {
      throw new Error(
        `The log has a gap after ${this.#seq}: next is ${events[0]?.seq}, ${events.length} events to ${last.seq}.`,
      );
    }
    // This process was frozen after the claim: another reader may be delivering now.
    if (performance.now() > this.#leaseEnds) return batchSize;
    if (events.length === batchSize) this.#prefetch(last.seq);
    const renewal = setInterval(() => void this.#claim(false).catch(() => undefined), this.#options.leaseMs / 3);
    try {
      await handle(events);
    } catch (error) {
      if (error instanceof StoppedBefore && error.seq - 1n > this.#seq) await this.#move(error.seq - 1n);
      throw error;
    } finally {
      clearInterval(renewal);
    }
    await this.#move(last.seq);
    return events.length;
  }

  /**
   * The reader is behind, so the next events exist already: prefetch them while these are delivered. The log never
   * changes.
   */
  #prefetch(after: bigint): void {
    const { pool, schema, batchSize } = this.#options;
    const events = readFrom(pool, schema, after, batchSize);
    // A failure surfaces when the events are awaited; after a lost lease nobody awaits them.
    events.catch(() => undefined);
    this.#prefetched = { after, events };
  }

  async #move(seq: bigint): Promise<void> {
    const { pool, schema, consumer, leaseMs } = this.#options;
    const asked = performance.now();
    const { rows } = await pool.query<{ moved: boolean }>({
      name: `${schema}.move_relay`,
      text: `select ${schema}.move_relay($1, $2, $3, $4, $5) as moved`,
      values: [consumer, this.holder, String(this.#epoch), String(seq), leaseMs],
    });
    if (rows[0]?.moved) {
      this.#seq = seq;
      this.#leaseEnds = asked + leaseMs;
    } else {
      this.#epoch = undefined;
    }
  }

  async #claim(
    takeOver: boolean,
  ): Promise<{ readonly leading: boolean; readonly epoch: bigint; readonly seq: bigint }> {
    const { pool, schema, consumer, leaseMs } = this.#options;
    const { rows } = await pool.query<{ o_leading: boolean; o_epoch: string; o_seq: string; holder: string | null }>({
      name: `${schema}.claim_relay`,
      text: `select c.*, (select holder from ${schema}.relay_cursor where consumer = $1) as holder
               from ${schema}.claim_relay($1, $2, $3, $4) c`,
      values: [consumer, this.holder, leaseMs, takeOver],
    });
    const row = rows[0];
    if (!row) throw new Error('The relay function returned no row.');
    this.#leader = row.o_leading ? null : this.#otherThanThis(row.holder);
    return { leading: row.o_leading, epoch: BigInt(row.o_epoch), seq: BigInt(row.o_seq) };
  }

  async #seeWhoLeads(): Promise<void> {
    const { pool, schema, consumer } = this.#options;
    const { rows } = await pool.query<{ holder: string }>(
      `select holder from ${schema}.relay_cursor where consumer = $1`,
      [consumer],
    );
    this.#leader = this.#otherThanThis(rows[0]?.holder ?? null);
  }

  #otherThanThis(holder: string | null): string | null {
    return holder === this.holder || holder === '' ? null : holder;
  }

  async #release(): Promise<void> {
    const { pool, schema, consumer, onError } = this.#options;
    await pool
      .query(`select ${schema}.release_relay($1, $2)`, [consumer, this.holder])
      .catch((error: unknown) => onError?.(error, 0));
  }

  async #sleepUnlessStopping(ms: number): Promise<void> {
    for (const end = performance.now() + ms; !this.#stopping && performance.now() < end;)
      await this.#wakeup.wait(end - performance.now());
  }
}
