import type { Answer, Rejection } from './answer.js';
import type { AssetId, JobId } from './ids.js';
import type { JobStatus, JobSummary, JobView } from './job-view.js';
import type { PartnerCredentials } from './secret.js';
import type { Principal } from './principal.js';

/**
 * The gateway's calls to the jobs service: direct in standalone, remote in a cluster. Implementations pass
 * `test/internal-calls/jobs-port.suite.ts`.
 */
export interface JobsPort {
  /** Durable when it answers ok. A definite refusal leaves nothing behind (api-v2, Idempotency rules 3). */
  submit(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer>;
  /** True while the account holds the key for submissions (24 h). */
  isKeyClaimed(principal: Principal, idempotencyKey: string): Promise<boolean>;
  get(principal: Principal, jobId: JobId): Promise<Answer<JobView>>;
  list(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>>;
  cancel(principal: Principal, jobId: JobId): Promise<Answer<JobView>>;
  /** The workflow's bytes as submitted. */
  workflow(principal: Principal, jobId: JobId): Promise<Answer<Uint8Array>>;
  /** 1-based place in the claim order of each waiting job; others are missing. */
  queuePositions(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>>;
}
export const JOBS_PORT = Symbol('JobsPort');

/**
 * `why` says what a refusal means for the job and its key. `revision_closed`: the revision takes no jobs any more, so the
 * workflow must be validated again. `unknown`: the job may exist, so nothing that it needs is
 * released.
 */
export type SubmissionAnswer =
  | { readonly ok: true; readonly value: JobView }
  | { readonly ok: false; readonly rejection: Rejection; readonly why: SubmissionRefusalReason };

export type SubmissionRefusalReason =
  'key_claimed' | 'queue_full' | 'insufficient_credits' | 'revision_closed' | 'unknown';

export interface JobSubmission {
  /** Assigned by the caller before holds are placed (docs/architecture/03-submission-and-idempotency.md). */
  readonly jobId: JobId;
  readonly idempotencyKey: string | null;
  /** Raw bytes of the workflow value, kept verbatim. */
  readonly workflow: Uint8Array;
  /** Nodes that an output depends on. */
  readonly nodesTotal: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly inputs: readonly JobInput[];
  readonly credentials: PartnerCredentials | null;
  /** Revision of the deployment's environment that the workflow was validated against; 0 where there is none. */
  readonly revision: number;
  readonly requestId: string;
  /** W3C trace context of the request, if any. */
  readonly traceparent: string | null;
}

/** An asset that the workflow refers to, by `core/ASSET` object or by file name; its blob is held under the job. */
export interface JobInput {
  readonly assetId: AssetId;
  /** `blake3:<64 hex>` */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly filePath: string;
  /** The file name in the workflow; null for a `core/ASSET` object. */
  readonly name: string | null;
}

export interface JobListQuery {
  readonly statuses: readonly JobStatus[];
  /** 1..100 */
  readonly limit: number;
  readonly cursor: string | null;
  readonly idempotencyKey: string | null;
  /** At most 3 pairs, all must match. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface JobPage {
  readonly jobs: readonly JobSummary[];
  /** null on the last page */
  readonly nextCursor: string | null;
}
