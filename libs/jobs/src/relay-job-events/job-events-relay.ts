import { setImmediate as nextTurn } from 'node:timers/promises';
import { UndecodableEvent } from '@heddle/jobs-domain';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId, JobMessage, JobStatus } from '@heddle/contracts-messages';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import type { JobsLog } from '../jobs-log.js';
import type { JobsMetrics } from '../jobs-metrics.js';
import { recordedJobEvent } from '../known-jobs/load-job.js';
import { jobMessage } from './job-message.js';
import type { OlderEnvelopes } from './older-envelopes.js';

/** Events that are handed to the bus together. */
const PART = 1_000;
/** Events of one turn of the event loop. */
const TURN = 50;

/**
 * From the log to the bus, in the order of the log: the one durable path by which other services hear of jobs. The
 * reader's cursor moves after the bus has taken the batch, so everything is published at least once. Nothing is folded:
 * status and trace of a message are those of the event's envelope.
 */
export class JobEventsRelay {
  constructor(
    private readonly bus: MessageBus,
    private readonly older: OlderEnvelopes,
    private readonly log: JobsLog,
    private readonly metrics: JobsMetrics,
  ) {}

  /** In parts, one after the other: while one is on its way to the bus the next is put together. */
  async publish(events: readonly SequencedEvent[]): Promise<void> {
    let sending = Promise.resolve();
    for (let at = 0; at < events.length; at += PART) {
      const messages = await this.#messages(events.slice(at, at + PART));
      // What comes behind a part that was not taken must not go before it.
      await sending;
      sending = this.#send(messages);
      // Told where it is awaited, which is after the next part was put together.
      sending.catch(() => undefined);
    }
    await sending;
  }

  async #send(messages: readonly BusMessage[]): Promise<void> {
    await this.bus.publish(JOB_EVENTS_TOPIC, messages);
    this.metrics.relayed(messages.length);
  }

  async #messages(events: readonly SequencedEvent[]): Promise<readonly BusMessage<JobMessage>[]> {
    const messages: BusMessage<JobMessage>[] = [];
    const complete = await this.older.complete(events);
    for (const [at, stored] of complete.entries()) {
      const message = this.#message(stored);
      if (message !== null) messages.push(message);
      // The part that is on its way waits for answers of the broker in between.
      if (at % TURN === TURN - 1) await nextTurn();
    }
    return messages;
  }

  #message(stored: SequencedEvent): BusMessage<JobMessage> | null {
    try {
      const { event } = recordedJobEvent(stored);
      const { status, traceparent } = stored;
      if (status === null) throw new UndecodableEvent(`the status after ${stored.type} cannot be derived`);
      const payload = jobMessage(
        {
          eventId: stored.eventId,
          jobId: stored.streamId as JobId,
          accountId: stored.accountId as AccountId,
          deploymentId: stored.deploymentId as DeploymentId,
          version: stored.version,
          fence: stored.fence ?? 0,
          recordedAt: stored.recordedAt,
        },
        event,
        status as JobStatus,
      );
      const headers = { seq: stored.seq.toString(), ...(traceparent === null ? {} : { traceparent }) };
      return { key: stored.streamId, id: stored.eventId, type: stored.type, payload, headers };
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      // Written by a newer build: the others of its job still go out.
      this.log.failed(`event ${stored.eventId} (seq ${stored.seq}) was not relayed`, error);
      return null;
    }
  }
}
