import { UndecodableEvent } from '@heddle/jobs-domain';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId, JobMessage } from '@heddle/contracts-messages';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import type { JobsLog } from '../jobs-log.js';
import type { JobsMetrics } from '../jobs-metrics.js';
import { recordedJobEvent } from '../known-jobs/load-job.js';
import { jobMessage } from './job-message.js';
import type { StatusTrail } from './status-trail.js';

/**
 * From the log to the bus, in the order of the log: the one durable path by which other services hear of jobs. The
 * reader's cursor moves after the bus has taken the batch, so everything is published at least once.
 */
export class JobEventsRelay {
  constructor(
    private readonly bus: MessageBus,
    private readonly trail: StatusTrail,
    private readonly log: JobsLog,
    private readonly metrics: JobsMetrics,
  ) {}

  async publish(events: readonly SequencedEvent[]): Promise<void> {
    const messages: BusMessage<JobMessage>[] = [];
    for (const stored of events) {
      const message = await this.#message(stored);
      if (message !== null) messages.push(message);
    }
    await this.bus.publish(JOB_EVENTS_TOPIC, messages);
    this.metrics.relayed(messages.length);
  }

  async #message(stored: SequencedEvent): Promise<BusMessage<JobMessage> | null> {
    try {
      const recorded = recordedJobEvent(stored);
      const { status, traceparent } = await this.trail.after(stored, recorded);
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
        recorded.event,
        status,
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
