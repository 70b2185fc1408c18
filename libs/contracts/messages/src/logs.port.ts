import type { Answer } from './answer.js';
import type { JobId } from './ids.js';
import type { WorkerLease } from './lease.js';
import type { Principal } from './principal.js';

/** What is asked of the logs service: a worker captures what a run wrote, a gateway reads it. */
export interface LogsPort {
  /**
   * Keeps the end of what an attempt wrote. It may be repeated, and come again with more: the newest fence counts, and of
   * one fence the first that is complete, else the last. Rejects with LeaseRefusedError where the worker does not hold the lease.
   */
  capture(log: CapturedLog): Promise<CaptureVerdict>;
  /** 404 for a job without a log, a foreign one and an unknown one alike. */
  read(principal: Principal, jobId: JobId): Promise<Answer<JobLog>>;
}
export const LOGS_PORT = Symbol('LogsPort');

/** Bytes of a job's log that are kept: its end. */
export const LOG_BYTES = 1024 * 1024;

export interface CapturedLog extends WorkerLease {
  readonly text: string;
  /** Something before the text was left out already. */
  readonly truncated: boolean;
  /** The attempt is over: no more will come. */
  readonly complete: boolean;
}

/** `known`: it was kept already. `late`: of an older attempt, or of a job that is gone. */
export type CaptureVerdict = 'kept' | 'known' | 'late';

export interface JobLog {
  readonly text: string;
  /** The beginning is missing. */
  readonly truncated: boolean;
  /** ISO 8601 */
  readonly capturedAt: string;
  readonly complete: boolean;
}

/** The end of a text as the bytes that are kept of it, whole characters only. */
export function cutLogText(text: string): { readonly bytes: Uint8Array; readonly isCut: boolean } {
  const all = new TextEncoder().encode(text);
  if (all.length <= LOG_BYTES) return { bytes: all, isCut: false };
  let from = all.length - LOG_BYTES;
  while (from < all.length && (all[from]! & 0xc0) === 0x80) from += 1;
  return { bytes: all.subarray(from), isCut: true };
}
