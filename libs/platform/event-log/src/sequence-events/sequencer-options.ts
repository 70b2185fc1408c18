import type pg from 'pg';

export interface SequencerOptions {
  /** The pool of the schema's service role; one connection is used at a time. */
  readonly pool: pg.Pool;
  readonly schema: string;
  /** Names this sequencer in the cursor row; random unless told. */
  readonly holder?: string;
  /** How long the lease lives without being renewed; 2000. */
  readonly leaseMs?: number;
  /** How often to look without being nudged; 500. */
  readonly netMs?: number;
  /** How long to wait after a nudge, so that a batch gathers; 4. */
  readonly gatherMs?: number;
  /** The same where the last batch was one of many events; 60. */
  readonly busyGatherMs?: number;
  /** Most events of a batch; 2000. */
  readonly batchSize?: number;
  /** How long an event may wait for its number before the alarm; 2000. */
  readonly alarmMs?: number;
  /** Takes the lease at the start from whoever holds it: for a process that knows it is alone on this database. */
  readonly takeOver?: boolean;
  readonly onTurn?: (turn: SequencerTurn) => void;
  readonly onAlarm?: (alarm: SequencerAlarm) => void;
  /** A turn failed (database away, lock timeout); the next one is tried after a moment. */
  readonly onError?: (error: unknown) => void;
}

/** What one look at the log found and did. */
export interface SequencerTurn {
  /** False: another sequencer holds the lease. */
  readonly leading: boolean;
  readonly epoch: bigint;
  /** Last sequence number given so far. */
  readonly seq: bigint;
  /** Events that got their numbers in this turn. */
  readonly count: number;
  /** Age of the oldest of them when the turn began. */
  readonly lagMs: number;
  /** Age of the oldest event that an open transaction still keeps back; null when none waits. */
  readonly waitingMs: number | null;
  /** Events that wait for an earlier version of their stream. */
  readonly held: number;
  readonly tookMs: number;
}

export type SequencerAlarm =
  /** A transaction that is open too long keeps everything behind it back. */
  | { readonly kind: 'stalled'; readonly waitingMs: number; readonly oldestTransaction: string | null }
  /** The cursor stands where this server has not been yet: the log comes from another one (`adoptRestoredLog`). */
  | { readonly kind: 'restored' }
  /** A stream lacks a version. */
  | { readonly kind: 'held'; readonly events: number; readonly heldMs: number };
