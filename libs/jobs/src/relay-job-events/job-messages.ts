import { setImmediate as nextTurn } from 'node:timers/promises';
import { UndecodableEvent } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId, JobMessage, JobStatus } from '@heddle/contracts-messages';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage } from '@heddle/platform-message-bus';
import type { JobsLog } from '../jobs-log.js';
import { recordedJobEvent } from '../known-jobs/load-job.js';
import type { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { jobMessage } from './job-message.js';
import type { OlderEnvelopes } from './older-envelopes.js';
import { withOutputs } from './with-outputs.js';

/** Events of one turn of the event loop. */
const TURN = 50;

/** Events of the log as messages for other services. */
export class JobMessages {
  constructor(
    private readonly older: OlderEnvelopes,
    private readonly holdings: Pick<JobHoldingsReader, 'of'>,
    private readonly log: JobsLog,
  ) {}

  async of(events: readonly SequencedEvent[]): Promise<readonly BusMessage<JobMessage>[]> {
    const messages: BusMessage<JobMessage>[] = [];
    const complete = await this.older.complete(events);
    for (const [at, stored] of complete.entries()) {
      const message = this.#message(stored);
      if (message !== null) messages.push(message);
      // The part that is on its way waits for answers of the broker in between.
      if (at % TURN === TURN - 1) await nextTurn();
    }
    return await withOutputs(messages, this.holdings);
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
