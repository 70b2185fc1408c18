import type { AccountId, DeploymentId } from './ids.js';
import type { JobErrorCode, JobOutput, JobProgress } from './job-view.js';
import type { LeaseKey } from './lease.js';

/**
 * A worker's report under a lease. It does not contain account, deployment and worker: the jobs service reads them from
 * its own rows.
 */
interface ReportHead extends LeaseKey {
  /** Dense 1, 2, 3... per lease over the durable kinds; per lease over the volatile kinds separately. */
  readonly sequence: number;
}

/** Volatile kinds: only the newest counts, losing one is harmless. */
export interface ProgressReported extends ReportHead {
  readonly kind: 'progress';
  readonly progress: JobProgress;
}
interface PreviewReported extends ReportHead {
  readonly kind: 'preview';
  readonly nodeId: string;
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** Durable kinds: sent at least once, applied once by (job, fence, sequence). */
interface StartedReported extends ReportHead {
  /** The run starts: from now on the attempt of a job with credentials counts. */
  readonly kind: 'started';
}
interface NodeFinishedReported extends ReportHead {
  readonly kind: 'node_finished';
  readonly nodeId: string;
  readonly classType: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly cached: boolean;
}
interface OutputReported extends ReportHead {
  readonly kind: 'output_committed';
  readonly output: JobOutput;
}
interface LogReported extends ReportHead {
  readonly kind: 'log_captured';
  readonly sizeBytes: number;
  readonly truncated: boolean;
}
interface OutcomeReported extends ReportHead {
  readonly kind: 'outcome';
  readonly outcome: WorkerOutcome;
  /** The last snapshot, written with the terminal event. */
  readonly progress: JobProgress;
}

export type WorkerOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'canceled' }
  | {
      readonly kind: 'failed';
      readonly code: JobErrorCode;
      readonly message: string;
      readonly nodeId: string | null;
      readonly classType: string | null;
      readonly traceback: string | null;
      /** When the node that failed started and ended; absent from older workers and if no node failed. */
      readonly nodeRun?: { readonly startedAt: string; readonly endedAt: string } | null;
    }
  /** The attempt was lost with its engine: retried while attempts are left. */
  | { readonly kind: 'lost'; readonly reason: string };

export type VolatileReport = ProgressReported | PreviewReported;
export type DurableReport = StartedReported | NodeFinishedReported | OutputReported | LogReported | OutcomeReported;
export type WorkerReport = VolatileReport | DurableReport;

/** Topic on which the jobs service publishes volatile reports for gateways; the key is the job id. */
export const WORKER_EVENTS_TOPIC = 'heddle.worker.events.v1';

interface WorkerEventHead extends ReportHead {
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly workerId: string;
}

/** A message of that topic. */
export type WorkerEvent =
  | (WorkerEventHead & { readonly kind: 'progress'; readonly progress: JobProgress })
  | (WorkerEventHead & {
      readonly kind: 'preview';
      readonly nodeId: string;
      readonly contentType: string;
      readonly dataBase64: string;
    });

/**
 * Maximum characters of a report's texts in the log; longer texts are cut, so that events stay far below their size
 * limit.
 */
export const MAX_REPORT_TEXT = { name: 4_096, message: 16_384, contentType: 255, traceback: 262_144 } as const;
