// These names and shapes are stored for ever: add, never edit.
//
// A payload carries facts, is JSON-safe, repeats no id of the envelope (event id, stream, version, account, deployment,
// fence, worker sequence, recorded at) and must not contain a credential. A changed shape is a new schema version with
// a decoder of its own in job.codec.ts.

export type RecordedOutputType = 'image' | 'video' | 'audio' | 'text' | 'file' | 'latent';

export type RecordedErrorCode =
  | 'node_execution_error'
  | 'out_of_memory'
  | 'worker_lost'
  | 'timeout'
  | 'engine_error'
  | 'credential_expired'
  | 'credential_lost'
  | 'output_limit';

export type LeaseLossReason = 'expired' | 'engine_lost' | 'handed_back';

export type CancelReason = 'requested' | 'confirmed' | 'unanswered' | 'worker_lost' | 'overrun';

export interface RecordedInput {
  readonly assetId: string;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly filePath: string;
  /** The text in the workflow that named the asset; null if its id was given. */
  readonly name: string | null;
}

export interface RecordedProgress {
  readonly value: number;
  readonly nodesDone: number;
  readonly nodesTotal: number;
  readonly currentNode: string | null;
  readonly currentNodeClass: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly message: string | null;
}

export interface RecordedOutput {
  readonly nodeId: string;
  /** `<node id>/<slot>/<index>` */
  readonly key: string;
  readonly name: string;
  readonly type: RecordedOutputType;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly assetId: string;
  readonly hash: string;
}

export interface RecordedError {
  readonly code: RecordedErrorCode;
  readonly message: string;
  readonly nodeId: string | null;
  readonly classType: string | null;
  readonly traceback: string | null;
}

/** When a node started and ended, ISO 8601 by the worker's clock. */
export interface NodeRun {
  readonly startedAt: string;
  readonly endedAt: string;
}

/** What a deployment charged for a job when the job was submitted. */
export interface JobPrice {
  /** Whole credits, on success. */
  readonly perJob: number;
  /** Millionths of a credit a second: a whole number, so that no sum depends on rounding. */
  readonly perSecondMicros: number;
}

export interface JobSubmitted {
  readonly type: 'JobSubmitted';
  readonly data: {
    /** `blake3:<hex>` of the workflow's bytes, which are stored beside the log. */
    readonly workflowHash: string;
    readonly nodesTotal: number;
    readonly inputs: readonly RecordedInput[];
    readonly metadata: Readonly<Record<string, string>>;
    readonly idempotencyKey: string | null;
    /** True if credentials are kept beside the log; the log never contains them. */
    readonly hasCredentials: boolean;
    readonly maxAttempts: number;
    /** Milliseconds after recording until the job expires. */
    readonly retentionMs: number;
    readonly maxQueueWaitMs: number;
    readonly surface: string;
    /** Since schema version 2; before it a job cost nothing. */
    readonly price: JobPrice;
    /** Credits that the submission reserved: the most that the job can cost. */
    readonly reserved: number;
    /** Revision of the deployment's environment that the workflow was validated against; 0 where there is none. */
    readonly revision: number;
    readonly traceparent: string | null;
  };
}

export interface JobLeased {
  readonly type: 'JobLeased';
  readonly data: {
    /** 1-based */
    readonly attempt: number;
    readonly fence: number;
    readonly workerId: string;
    readonly environment: string;
    readonly maxRuntimeMs: number;
  };
}

/** The job is queued again; its last attempt ends in a terminal event instead. */
export interface LeaseLost {
  readonly type: 'LeaseLost';
  readonly data: {
    readonly reason: LeaseLossReason;
    readonly detail: string | null;
    /** false: the attempt is repeated under its old number. */
    readonly attemptSpent: boolean;
    readonly progress: RecordedProgress | null;
  };
}

export interface NodeFinished {
  readonly type: 'NodeFinished';
  readonly data: {
    readonly nodeId: string;
    readonly classType: string;
    readonly startedAt: string;
    readonly endedAt: string;
    readonly cached: boolean;
  };
}

export interface OutputCommitted {
  readonly type: 'OutputCommitted';
  readonly data: RecordedOutput;
}

export interface LogCaptured {
  readonly type: 'LogCaptured';
  readonly data: { readonly sizeBytes: number; readonly truncated: boolean };
}

/** Only for a running job; a queued one is canceled at once. */
export interface CancelRequested {
  readonly type: 'CancelRequested';
  readonly data: Readonly<Record<never, never>>;
}

export interface JobSucceeded {
  readonly type: 'JobSucceeded';
  readonly data: { readonly progress: RecordedProgress | null };
}

export interface JobFailed {
  readonly type: 'JobFailed';
  readonly data: {
    readonly error: RecordedError;
    readonly progress: RecordedProgress | null;
    /** Run of the node that failed, since schema version 2; null if none failed, or if the worker did not report it. */
    readonly nodeRun: NodeRun | null;
  };
}

export interface JobCanceled {
  readonly type: 'JobCanceled';
  readonly data: { readonly reason: CancelReason; readonly progress: RecordedProgress | null };
}

/** The job waited longer than the maximum queue wait, or until its retention ended. */
export interface JobExpired {
  readonly type: 'JobExpired';
  readonly data: { readonly progress: RecordedProgress | null };
}

/** Written by the purge's statement (libs/jobs/src/purge-jobs). The retention has ended: read rows, outputs and (with its last job) the workflow's bytes are removed. */
export interface JobPurged {
  readonly type: 'JobPurged';
  readonly data: Readonly<Record<never, never>>;
}

export type JobEvent =
  | JobSubmitted
  | JobLeased
  | LeaseLost
  | NodeFinished
  | OutputCommitted
  | LogCaptured
  | CancelRequested
  | JobSucceeded
  | JobFailed
  | JobCanceled
  | JobExpired
  | JobPurged;

export type JobEventType = JobEvent['type'];

/** True for the one event that ends a job. */
export function endsJob(type: JobEventType): boolean {
  return type === 'JobSucceeded' || type === 'JobFailed' || type === 'JobCanceled' || type === 'JobExpired';
}

/** An event with the fields of its envelope. */
export interface RecordedJobEvent {
  readonly event: JobEvent;
  /** ISO 8601 UTC with milliseconds, by the database clock. */
  readonly recordedAt: string;
  /** The worker's sequence under the lease, if a worker reported it. */
  readonly workerSequence: number | null;
}
