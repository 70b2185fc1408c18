import type { JobEvent } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId, JobMessage, JobOutput, JobStatus } from '@heddle/contracts-messages';

export interface MessageEnvelope {
  readonly eventId: string;
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly version: number;
  readonly fence: number;
  readonly recordedAt: string;
}

/** A stored event as other services see it; stored shapes never leave this service. */
export function jobMessage(envelope: MessageEnvelope, event: JobEvent, status: JobStatus): JobMessage {
  const head = envelopeMessage(envelope, event.type, status);
  switch (event.type) {
    case 'JobSubmitted':
      return { ...head, inputAssetIds: event.data.inputs.map((input) => input.assetId) };
    case 'OutputCommitted':
      return { ...head, output: event.data as JobOutput };
    case 'JobFailed':
      return { ...head, error: event.data.error, ...withProgress(event.data.progress) };
    case 'LeaseLost':
    case 'JobSucceeded':
    case 'JobCanceled':
    case 'JobExpired':
      return { ...head, ...withProgress(event.data.progress) };
    case 'JobLeased':
    case 'NodeFinished':
    case 'LogCaptured':
    case 'CancelRequested':
    case 'JobPurged':
      return head;
  }
}

/** An event whose payload was purged: only the envelope. */
export function envelopeMessage(envelope: MessageEnvelope, type: string, status: JobStatus): JobMessage {
  const { eventId, jobId, accountId, deploymentId, version, fence, recordedAt } = envelope;
  return { eventId, jobId, accountId, deploymentId, version, type, fence, status, recordedAt };
}

function withProgress(progress: JobMessage['progress'] | null): Pick<JobMessage, 'progress'> {
  return progress === null || progress === undefined ? {} : { progress };
}
