import type { AccountId, DeploymentId, JobId, JobOutput } from '@heddle/contracts-messages';
import { decodeJobEvent, messageParts } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { PlacedMessage } from './placed-message.js';

/**
 * The message that the relay published for a stored event. It lacks the status, which follows from the job's earlier
 * events, and the list of a job's outputs. Throws `UndecodableEvent` for an event of a newer build.
 */
export function messageOfEvent(event: NumberedEvent): PlacedMessage {
  const { seq, eventId, type, schemaVersion, data } = event;
  if (seq === null) throw new Error(`the event ${eventId} has no seq: only numbered events are folded`);
  // A purged event keeps its envelope.
  const { output, ...parts } =
    data === null ? {} : messageParts(decodeJobEvent(type, schemaVersion, data.toString('utf8')));
  const message = {
    eventId,
    jobId: event.streamId as JobId,
    accountId: event.accountId as AccountId,
    deploymentId: event.deploymentId as DeploymentId,
    version: event.version,
    type,
    fence: event.fence ?? 0,
    recordedAt: event.recordedAt,
    ...parts,
    ...(output === undefined ? {} : { output: output as JobOutput }),
  };
  return { id: eventId, seq: Number(seq), message, status: null };
}
