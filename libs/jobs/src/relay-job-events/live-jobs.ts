import type { JobId, LiveItem } from '@heddle/contracts-messages';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import { traceparentOf } from '../jobs-telemetry/trace-jobs.js';
import { jobMessage } from './job-message.js';

/** Notifies open streams of this process. */
export interface LiveJobFeed {
  publish(jobId: JobId, item: LiveItem): void;
}

/** Passes committed events to this process's streams at once; all others use the log and the bus. */
export class LiveJobs {
  constructor(private readonly feed: LiveJobFeed) {}

  /** Called after each commit in this process. */
  onCommitted({ jobId, accountId, deploymentId, events }: CommittedJob): void {
    for (const { eventId, event, version, fence, recordedAt, status, state } of events) {
      const envelope = { eventId, jobId, accountId, deploymentId, version, fence, recordedAt };
      const message = jobMessage(envelope, event, status);
      this.feed.publish(jobId, { kind: 'job', message, traceparent: traceparentOf(state) });
    }
  }
}
