import { blake3 } from '@napi-rs/blake-hash';
import { encodeJobEvent, FREE, initial, reservationOf, schemaVersionOfJobEvent, submitJob } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { JobSubmission, Principal } from '@heddle/contracts-messages';
import { planChange } from '../commit-job-events/change-plan.js';
import type { ChangePlan } from '../commit-job-events/change-plan.js';
import type { DeploymentTerms } from '../limit-accounts/known-terms.js';
import type { JobsSettings } from '../settings.js';
import type { SubmissionItem } from './submission-statement.js';

export interface PlannedSubmission {
  readonly principal: Principal;
  readonly submission: JobSubmission;
  readonly item: Omit<SubmissionItem, 'lease' | 'sealed'>;
  readonly plan: ChangePlan;
}

/**
 * The first event of a job, as decided by the domain, with the row that the statement writes for it.
 */
export function planSubmission(
  principal: Principal,
  submission: JobSubmission,
  { maxAttempts, maxQueueWaitMs, surface }: JobsSettings,
  { price, maxRuntimeMs, retentionMs }: DeploymentTerms,
): PlannedSubmission {
  const { buffer, byteOffset, length } = submission.workflow;
  const workflow = Buffer.from(buffer, byteOffset, length);
  const hash = blake3(workflow);
  const pairs = Object.entries(submission.metadata);
  const data = {
    workflowHash: `blake3:${hash.toString('hex')}`,
    nodesTotal: submission.nodesTotal,
    inputs: submission.inputs,
    metadata: submission.metadata,
    idempotencyKey: submission.idempotencyKey,
    hasCredentials: submission.credentials !== null,
    maxAttempts,
    retentionMs,
    maxQueueWaitMs,
    surface,
    price: price ?? FREE,
    reserved: price === null ? 0 : reservationOf(price, maxRuntimeMs),
    revision: submission.revision,
    traceparent: submission.traceparent,
  };
  const correlation = submission.requestId;
  const step = { decide: (job: JobState) => submitJob(job, data), workerSequence: null, correlation };
  const plan = planChange(initial, [step], newUuid);
  const [first] = plan.events;
  if (first === undefined) throw new Error('the domain refused to submit a job that does not exist yet');
  const item = {
    jobId: submission.jobId,
    eventId: first.eventId,
    accountId: principal.accountId,
    deploymentId: principal.deploymentId,
    revision: submission.revision,
    key: submission.idempotencyKey,
    metadata: JSON.stringify(submission.metadata),
    labels: pairs.length === 0 ? null : pairs.map(([key, value]) => `${key}=${value}`).join('\u001f'),
    correlation,
    traceparent: submission.traceparent,
    hash,
    event: Buffer.from(encodeJobEvent(first.event)),
    workflow,
    terms: price && {
      price,
      reserved: data.reserved,
      schemaVersion: schemaVersionOfJobEvent(first.event),
      maxRuntimeMs,
      retentionMs,
    },
  };
  return { principal, submission, item, plan };
}
