import type { Answer } from './answer.js';
import type { JobErrorCode, JobStatus } from './job-view.js';
import type { LeaseKey, WorkerLease } from './lease.js';
import type { Principal } from './principal.js';

/**
 * Calls to the logs service: a worker captures the log of an attempt, a gateway reads it. Implementations pass
 * `test/internal-calls/logs-port.suite.ts`.
 */
export interface LogsPort {
  /**
   * Stores the end of an attempt's output. May be repeated, also with more text: the newest fence counts, and within a
   * fence the first complete capture, otherwise the last. Rejects with LeaseRefusedError if the worker does not hold
   * the lease.
   */
  capture(log: CapturedLog): Promise<CaptureVerdict>;
  /**
   * The log of the attempt that ended a job. 404 for a job without such a log, a foreign one and an unknown one alike.
   * From then on it has none: a capture that is still on its way is refused, so the answer does not change (api-v2,
   * States and transitions).
   */
  read(principal: Principal, ended: LoggedAttempt): Promise<Answer<JobLog>>;
}
export const LOGS_PORT = Symbol('LogsPort');

/** The ends of jobs that may have a log, if a worker reported them (accounts, Logs). */
export const LOGGED_ENDS = [
  'succeeded',
  'node_execution_error',
  'engine_error',
  'output_limit',
  'credential_expired',
] as const;
export type LoggedEnd = (typeof LOGGED_ENDS)[number];

/** Null: a job that ended like this has no log, or it has not ended. */
export function loggedEndOf(status: JobStatus, error: { readonly code: JobErrorCode } | null): LoggedEnd | null {
  const end = status === 'failed' ? error?.code : status;
  return LOGGED_ENDS.find((logged) => logged === end) ?? null;
}

/** The attempt that ended a job, and how. */
export interface LoggedAttempt extends LeaseKey {
  readonly endedAs: LoggedEnd;
}

/** Maximum bytes kept of a job's log: its end. */
export const LOG_BYTES = 1024 * 1024;

export interface CapturedLog extends WorkerLease {
  readonly text: string;
  /** Earlier text was already dropped. */
  readonly truncated: boolean;
  /** The attempt has ended: no more text will come. */
  readonly complete: boolean;
  /**
   * How the worker is about to report the end of the job; null while the attempt runs. A log whose end was never
   * stored, because the worker died before, is not read as the log of another end.
   */
  readonly endedAs: LoggedEnd | null;
}

/** `known`: it was already stored. `late`: of an older attempt, or of a purged job. */
export type CaptureVerdict = 'kept' | 'known' | 'late';

export interface JobLog {
  readonly text: string;
  /** The beginning is missing. */
  readonly truncated: boolean;
  /** ISO 8601 */
  readonly capturedAt: string;
  readonly complete: boolean;
}

/** The stored bytes for a text: its end, in whole characters. */
export function cutLogText(text: string): { readonly bytes: Uint8Array; readonly isCut: boolean } {
  const all = new TextEncoder().encode(text);
  if (all.length <= LOG_BYTES) return { bytes: all, isCut: false };
  let from = all.length - LOG_BYTES;
  while (from < all.length && (all[from]! & 0xc0) === 0x80) from += 1;
  return { bytes: all.subarray(from), isCut: true };
}
