import type { Answer } from './answer.js';
import type { JobId } from './ids.js';
import type { WorkerLease } from './lease.js';
import type { Principal } from './principal.js';

/**
 * Calls to the logs service: a worker captures a run's output, a gateway reads it. Not connected yet: workers and
 * gateways get it with the managed surface.
 */
export interface LogsPort {
  /**
   * Stores the end of an attempt's output. May be repeated, also with more text: the newest fence counts, and within a
   * fence the first complete capture, otherwise the last. Rejects with LeaseRefusedError if the worker does not hold
   * the lease.
   */
  capture(log: CapturedLog): Promise<CaptureVerdict>;
  /** 404 for a job without a log, a foreign one and an unknown one alike. */
  read(principal: Principal, jobId: JobId): Promise<Answer<JobLog>>;
}
export const LOGS_PORT = Symbol('LogsPort');

/** Maximum bytes kept of a job's log: its end. */
export const LOG_BYTES = 1024 * 1024;

export interface CapturedLog extends WorkerLease {
  readonly text: string;
  /** Earlier text was already dropped. */
  readonly truncated: boolean;
  /** The attempt has ended: no more text will come. */
  readonly complete: boolean;
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
