import type { AccountId, DeploymentId, JobId } from './ids.js';
import type { JobErrorCode, JobOutput, JobProgress } from './job-view.js';

/** Topic of everything a worker reports; the key is the job id (architecture, Kafka topics). */
export const WORKER_EVENTS_TOPIC = 'heddle.worker.events.v1';

interface WorkerEventHead {
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly workerId: string;
  /** Fence of the lease under which it was produced; older ones change nothing. */
  readonly fence: number;
  /** Dense 1, 2, 3... per lease over the durable kinds; per lease over the volatile kinds separately. */
  readonly sequence: number;
}

/** Volatile kinds: only the newest counts, losing one is harmless. */
export interface ProgressReported extends WorkerEventHead {
  readonly kind: 'progress';
  readonly progress: JobProgress;
}
export interface PreviewReported extends WorkerEventHead {
  readonly kind: 'preview';
  readonly nodeId: string;
  readonly contentType: string;
  readonly dataBase64: string;
}

/** Durable kinds: delivered at least once, applied once by (job, fence, sequence). */
export interface NodeFinishedReported extends WorkerEventHead {
  readonly kind: 'node_finished';
  readonly nodeId: string;
  readonly classType: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly cached: boolean;
}
export interface OutputReported extends WorkerEventHead {
  readonly kind: 'output_committed';
  readonly output: JobOutput;
}
export interface LogReported extends WorkerEventHead {
  readonly kind: 'log_captured';
  readonly sizeBytes: number;
  readonly truncated: boolean;
}
export interface OutcomeReported extends WorkerEventHead {
  readonly kind: 'outcome';
  readonly outcome: WorkerOutcome;
  /** The last snapshot, written with the terminal event. */
  readonly progress: JobProgress;
  /** Keys of all outputs that the attempt reported: the outcome counts once they are committed, so it never overtakes one. */
  readonly outputKeys?: readonly string[];
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
    }
  /** The attempt was lost with its engine: retried while attempts are left. */
  | { readonly kind: 'lost'; readonly reason: string };

export type VolatileWorkerEvent = ProgressReported | PreviewReported;
export type DurableWorkerEvent = NodeFinishedReported | OutputReported | LogReported | OutcomeReported;
export type WorkerEvent = VolatileWorkerEvent | DurableWorkerEvent;
