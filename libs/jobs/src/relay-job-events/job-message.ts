import { messageParts } from '@heddle/jobs-domain';
import type { JobEvent } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId, JobMessage, JobOutput, JobStatus } from '@heddle/contracts-messages';

interface MessageEnvelope {
  readonly eventId: string;
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly version: number;
  readonly fence: number;
  readonly recordedAt: string;
}

/** A stored event as other services see it. */
export function jobMessage(envelope: MessageEnvelope, event: JobEvent, status: JobStatus): JobMessage {
  const { output, ...parts } = messageParts(event);
  const message = { ...envelopeMessage(envelope, event.type, status), ...parts };
  return output === undefined ? message : { ...message, output: output as JobOutput };
}

/** An event whose payload was purged: only the envelope. */
export function envelopeMessage(envelope: MessageEnvelope, type: string, status: JobStatus): JobMessage {
  const { eventId, jobId, accountId, deploymentId, version, fence, recordedAt } = envelope;
  return { eventId, jobId, accountId, deploymentId, version, type, fence, status, recordedAt };
}
