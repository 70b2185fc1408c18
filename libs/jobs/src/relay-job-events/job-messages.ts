import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { UndecodableEvent } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId, JobMessage, JobStatus } from '@heddle/contracts-messages';
import { StoppedBefore } from '@heddle/platform-event-log';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage } from '@heddle/platform-message-bus';
import { recordedJobEvent } from '../known-jobs/load-job.js';
import { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { detachedStatus } from './detached-status.js';
import { envelopeMessage, jobMessage } from './job-message.js';
import { OlderEnvelopes } from './older-envelopes.js';
import { withOutputs } from './with-outputs.js';

interface ReadableMessages {
  readonly messages: readonly BusMessage<JobMessage>[];
  readonly stop: StoppedBefore | null;
}

/** Events per turn of the event loop. */
const TURN = 50;

/** Converts events of the log to messages for other services. */
@Injectable()
export class JobMessages {
  constructor(
    private readonly older: OlderEnvelopes,
    @Inject(JobHoldingsReader) private readonly holdings: Pick<JobHoldingsReader, 'of'>,
  ) {}

  /** The messages before the first unreadable event, which `stop` names; null if all are readable. */
  async of(events: readonly SequencedEvent[]): Promise<ReadableMessages> {
    const messages: BusMessage<JobMessage>[] = [];
    let stop: StoppedBefore | null = null;
    const complete = await this.older.complete(events);
    for (const [at, stored] of complete.entries()) {
      try {
        messages.push(messageOf(stored));
      } catch (error) {
        if (!(error instanceof UndecodableEvent)) throw error;
        stop = stopBefore(stored, error);
        break;
      }
      // The event loop must process the broker's answers to the part in flight.
      if (at % TURN === TURN - 1) await nextTurn();
    }
    return { messages: await withOutputs(messages, this.holdings), stop };
  }
}

function messageOf(stored: SequencedEvent): BusMessage<JobMessage> {
  const event = stored.data === null ? null : recordedJobEvent(stored).event;
  const { traceparent } = stored;
  const status = stored.status ?? (event === null ? detachedStatus(stored.type) : null);
  if (status === null) throw new UndecodableEvent(`the status after ${stored.type} cannot be derived`);
  const envelope = {
    eventId: stored.eventId,
    jobId: stored.streamId as JobId,
    accountId: stored.accountId as AccountId,
    deploymentId: stored.deploymentId as DeploymentId,
    version: stored.version,
    fence: stored.fence ?? 0,
    recordedAt: stored.recordedAt,
  };
  // Followers count sequence numbers, so an event without its payload still has a message.
  const payload =
    event === null
      ? envelopeMessage(envelope, stored.type, status as JobStatus)
      : jobMessage(envelope, event, status as JobStatus);
  const headers = { seq: stored.seq.toString(), ...(traceparent === null ? {} : { traceparent }) };
  return { key: stored.streamId, id: stored.eventId, type: stored.type, payload, headers };
}

function stopBefore({ seq, type, schemaVersion, streamId }: SequencedEvent, cause: UndecodableEvent): StoppedBefore {
  return new StoppedBefore(
    seq,
    `the relay stopped before event ${seq} (${type}, schema version ${schemaVersion}, job ${streamId}), which this build ` +
      `cannot read: ${cause.message}. Start a replica of the build that wrote it to let the relay continue; until then other ` +
      'services receive no later event.',
    cause,
  );
}
