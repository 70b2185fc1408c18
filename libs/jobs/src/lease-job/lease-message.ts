import type { AssetId, JobId, JobInput, JobLease, PartnerCredentials } from '@heddle/contracts-messages';
import { jobsFailpoint } from '../failpoints.js';
import type { JobsSettings } from '../settings.js';
import type { KnownJob } from '../known-jobs/known-jobs.js';

/** What a worker needs beside the job's own log. */
export interface LeaseParts {
  readonly workflow: Uint8Array;
  readonly credentials: PartnerCredentials | null;
}

/** What a worker is handed of a job that was leased to it just now. */
export function leaseMessage(jobId: JobId, job: KnownJob, parts: LeaseParts, settings: JobsSettings): JobLease {
  jobsFailpoint('jobs.lease.after-commit');
  if (job.state.status !== 'running') throw new Error('only a job that runs has a lease');
  const { facts, lease } = job.state;
  return {
    jobId,
    fence: facts.fence,
    workerId: lease.workerId,
    accountId: job.accountId,
    deploymentId: job.deploymentId,
    attempt: lease.attempt,
    workflow: parts.workflow,
    nodesTotal: facts.submission.nodesTotal,
    inputs: facts.submission.inputs.map((input): JobInput => ({ ...input, assetId: input.assetId as AssetId })),
    credentials: parts.credentials,
    progressFloor: facts.progress?.value ?? 0,
    leaseSeconds: settings.leaseMs / 1000,
    maxRuntimeSeconds: lease.maxRuntimeMs / 1000,
    jobExpiresAt: facts.expiresAt,
    traceparent: facts.submission.traceparent,
  };
}
