import type pg from 'pg';

export interface SequencerOptions {
  /** The pool of the schema's service role; one connection is used at a time. */
  readonly pool: pg.Pool;
  readonly schema: string;
  /** Names this sequencer in the cursor row; random by default. */
  readonly holder?: string;
  /** Lease time without renewal; default 2000. */
  readonly leaseMs?: number;
  /** Poll interval without a nudge; default 500. */
  readonly netMs?: number;
  /** Delay after a nudge, so that a batch can fill; default 4. */
  readonly batchWaitMs?: number;
  /** The same delay after a batch of many events; default 60. */
  readonly busyBatchWaitMs?: number;
  /** Maximum events per batch; default 2000. */
  readonly batchSize?: number;
  /** How long an event may wait for its number before an alarm; default 2000. */
  readonly alarmMs?: number;
  /** Takes the lease at start from any holder: for a process that is alone on this database. */
  readonly takeOver?: boolean;
  readonly onTurn?: (turn: SequencerTurn) => void;
  readonly onAlarm?: (alarm: SequencerAlarm) => void;
  /** Called when a turn failed (database away, lock timeout); the next turn follows after a pause. */
  readonly onError?: (error: unknown) => void;
}

/** Result of one turn. */
export interface SequencerTurn {
  /** False if another sequencer holds the lease. */
  readonly leading: boolean;
  readonly epoch: bigint;
  /** The last assigned sequence number. */
  readonly seq: bigint;
  /** Events numbered in this turn. */
  readonly count: number;
  /** Age of the oldest of these events when the turn began. */
  readonly lagMs: number;
  /** Age of the oldest event that an open transaction still holds back; null if none waits. */
  readonly waitingMs: number | null;
  /** Events that wait for an earlier version in their stream. */
  readonly held: number;
  readonly tookMs: number;
}

export type SequencerAlarm =
  /** A transaction has been open for too long and holds back everything behind it. */
  | { readonly kind: 'stalled'; readonly waitingMs: number; readonly oldestTransaction: string | null }
  /**
   * The cursor is ahead of this server's transaction ids: the log was restored from another server
   * (`adoptRestoredLog`).
   */
  | { readonly kind: 'restored' }
  /** A stream lacks a version. */
  | { readonly kind: 'held'; readonly events: number; readonly heldMs: number };
