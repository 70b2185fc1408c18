import { Injectable } from '@nestjs/common';
import type { AccountId, DeploymentId, JobId, JobStatus } from '@heddle/contracts-messages';
import type { JobEvent, JobState } from '@heddle/jobs-domain';

export interface CommittedEvent {
  readonly eventId: string;
  readonly event: JobEvent;
  readonly version: number;
  /** Fence of the newest lease when it was written. */
  readonly fence: number;
  readonly recordedAt: string;
  /** Set where a worker reported it. */
  readonly workerSequence: number | null;
  /** Status that the event leads to, as its envelope says. */
  readonly status: JobStatus;
  /** State of the job after this event. */
  readonly state: JobState;
}

/** What one commit did to one job; handed to subscribers of this process in version order per job. */
export interface CommittedJob {
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly before: JobState;
  readonly after: JobState;
  readonly events: readonly CommittedEvent[];
}

/**
 * Tells this process what was just committed. Nothing depends on it for correctness: who misses it reads the log or the
 * rows. A subscriber must not throw and must not wait.
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
