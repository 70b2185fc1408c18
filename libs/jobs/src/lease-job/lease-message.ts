import type { AssetId, JobId, JobInput, JobLease, PartnerCredentials } from '@heddle/contracts-messages';
import { jobsFailpoint } from '../failpoints.js';
import type { JobsSettings } from '../settings.js';
import type { KnownJob } from '../known-jobs/known-jobs.js';

/** Data for a worker that the job's log does not contain. */
export interface LeaseParts {
  readonly workflow: Uint8Array;
  readonly credentials: PartnerCredentials | null;
}

/** The lease as sent to the worker. */
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
