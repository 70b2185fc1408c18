import type { AccountId, DeploymentId, JobId } from './ids.js';
import type { JobError, JobOutput, JobProgress, JobStatus } from './job-view.js';

/** Topic of committed job events for other services; the key is the job id. */
export const JOB_EVENTS_TOPIC = 'heddle.jobs.events.v1';

/**
 * A committed job event as other services see it: mapped from the stored event, never the stored event itself. `type`
 * is the stored event's name; other fields that readers need are listed here.
 */
export interface JobMessage {
  readonly eventId: string;
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  /** Version of the job's stream after this event: dense per job. */
  readonly version: number;
  readonly type: string;
  /** Fence of the newest lease when the event was written. */
  readonly fence: number;
  /** Status of the job after this event. */
  readonly status: JobStatus;
  readonly recordedAt: string;
  /** Present on JobSubmitted, as are the following fields on their events; messages of older builds have none of them. */
  readonly submission?: JobMessageSubmission;
  /** Present on JobLeased. */
  readonly lease?: JobMessageLease;
  /** Present on LeaseLost. */
  readonly lost?: JobMessageLoss;
  /** Present on NodeFinished. */
  readonly node?: JobMessageNode;
  /** Present on OutputCommitted. */
  readonly output?: JobOutput;
  /** Present on terminal events if there was progress. */
  readonly progress?: JobProgress;
  /** Present on JobFailed. */
  readonly error?: JobError;
  /** Present on JobSubmitted: assets whose provisional holds are confirmed. */
  readonly inputAssetIds?: readonly string[];
  /**
   * Present on terminal events: every output of the job, in commit order. Missing if unknown: the job was purged, or an
   * older build wrote the message. Absence proves nothing.
   */
  readonly outputAssetIds?: readonly string[];
}

interface JobMessageSubmission {
  /** Nodes on which an output depends. */
  readonly nodesTotal: number;
  /** Labels of the submission. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly surface: string;
}

interface JobMessageLease {
  /** From 1; an attempt that was not spent is given again under its number. */
  readonly attempt: number;
  readonly workerId: string;
  readonly environment: string;
}

interface JobMessageLoss {
  readonly reason: 'expired' | 'engine_lost' | 'handed_back';
  readonly attemptSpent: boolean;
}

/** Start and end are by the worker's clock. */
interface JobMessageNode {
  readonly nodeId: string;
  readonly classType: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly cached: boolean;
}

/** Items of the live path to open streams of this process, by job id. */
export type LiveItem =
  | {
      readonly kind: 'job';
      readonly message: JobMessage;
      /** W3C trace context of the job, if any. */
      readonly traceparent?: string | null;
    }
  | { readonly kind: 'progress'; readonly fence: number; readonly sequence: number; readonly progress: JobProgress }
  | {
      readonly kind: 'preview';
      readonly fence: number;
      readonly sequence: number;
      readonly nodeId: string;
      readonly contentType: string;
      readonly dataBase64: string;
    };
