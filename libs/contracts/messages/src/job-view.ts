import type { JOB_ERROR_CODES, JOB_STATUSES, OUTPUT_TYPES } from '@heddle/contracts-api-v2';
import type { AccountId, AssetId, DeploymentId, JobId } from './ids.js';

export type JobStatus = (typeof JOB_STATUSES)[number];

export type JobErrorCode = (typeof JOB_ERROR_CODES)[number];

export type OutputType = (typeof OUTPUT_TYPES)[number];

/** A complete snapshot; `value` is 0..1 and never decreases within a job. */
export interface JobProgress {
  readonly value: number;
  readonly nodesDone: number;
  readonly nodesTotal: number;
  readonly currentNode: string | null;
  readonly currentNodeClass: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly message: string | null;
}

export interface JobOutput {
  readonly nodeId: string;
  /** `<node id>/<slot>/<index>`: unique in a job, the first commit wins. */
  readonly key: string;
  readonly name: string;
  readonly type: OutputType;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly assetId: AssetId;
  /** `blake3:<64 hex>` */
  readonly hash: string;
}

export interface JobError {
  readonly code: JobErrorCode;
  readonly message: string;
  readonly nodeId: string | null;
  readonly classType: string | null;
  readonly traceback: string | null;
}

/** A job as services exchange it; times are ISO 8601 UTC with milliseconds. */
export interface JobView {
  readonly id: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly status: JobStatus;
  /** The version of the job's event stream shown by this view. */
  readonly version: number;
  /** Fence of the newest lease, 0 before the first. */
  readonly fence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly expiresAt: string;
  readonly queuePosition: number | null;
  readonly progress: JobProgress | null;
  readonly outputs: readonly JobOutput[];
  readonly error: JobError | null;
  readonly queueMs: number | null;
  readonly executionMs: number | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A list entry: the job without its large parts. */
export type JobSummary = Omit<JobView, 'outputs' | 'progress' | 'error'>;

export function isEndedStatus(status: JobStatus): boolean {
  return status === 'succeeded' || status === 'canceled' || status === 'failed' || status === 'expired';
}
