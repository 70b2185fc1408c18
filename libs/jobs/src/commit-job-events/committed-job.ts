import { Injectable } from '@nestjs/common';
import type { AccountId, DeploymentId, JobId, JobStatus } from '@heddle/contracts-messages';
import type { JobEvent, JobState } from '@heddle/jobs-domain';

interface CommittedEvent {
  readonly eventId: string;
  readonly event: JobEvent;
  readonly version: number;
  /** Fence of the newest lease when the event was written. */
  readonly fence: number;
  readonly recordedAt: string;
  /** Set if a worker reported it. */
  readonly workerSequence: number | null;
  /** The status after the event, as in its envelope. */
  readonly status: JobStatus;
  /** The job's state after this event. */
  readonly state: JobState;
}

/** The effect of one commit on one job; passed to subscribers of this process in version order per job. */
export interface CommittedJob {
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly before: JobState;
  readonly after: JobState;
  readonly events: readonly CommittedEvent[];
}

/**
 * Notifies this process of commits. Correctness does not depend on it: a subscriber that misses one reads the log or
 * the rows. A subscriber must not throw and must not wait.
 */
@Injectable()
export class CommittedJobs {
  readonly #subscribers: ((committed: CommittedJob) => void)[] = [];

  subscribe(subscriber: (committed: CommittedJob) => void): void {
    this.#subscribers.push(subscriber);
  }

  publish(committed: CommittedJob): void {
    for (const subscriber of this.#subscribers) subscriber(committed);
  }
}
