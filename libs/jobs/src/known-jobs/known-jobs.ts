import { isEnded } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import { RecentEntries } from './recent-entries.js';

/** A folded job with the ids of its envelope. */
export interface KnownJob {
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly state: JobState;
}

/**
 * Folded states of jobs that have not ended, so that a report does not read the whole stream again. They may be stale
 * (another process wrote): the append finds out by the version, and the handler loads anew. Least recently used go first.
 */
export class KnownJobs {
  readonly #jobs: RecentEntries<JobId, KnownJob>;

  constructor(capacity: number) {
    this.#jobs = new RecentEntries(capacity, ({ state }) => weightOf(state));
  }

  get(jobId: JobId): KnownJob | undefined {
    return this.#jobs.get(jobId);
  }

  /** Keeps the newer of what is known and what is given. */
  put(jobId: JobId, job: KnownJob): void {
    const known = this.#jobs.get(jobId);
    if (known !== undefined && versionOf(known.state) > versionOf(job.state)) return;
    const isOver = isEnded(job.state) || job.state.status === 'purged' || job.state.status === 'unsubmitted';
    if (isOver) this.forget(jobId);
    else this.#jobs.set(jobId, job);
  }

  /** Subscribed, first of all, to what is committed here: a worker that is handed the job finds it. */
  onCommitted({ jobId, accountId, deploymentId, after }: CommittedJob): void {
    this.put(jobId, { accountId, deploymentId, state: after });
  }

  forget(jobId: JobId): void {
    this.#jobs.delete(jobId);
  }
}

export function versionOf(state: JobState): number {
  return state.status === 'unsubmitted' || state.status === 'purged' ? state.version : state.facts.version;
}

function weightOf(state: JobState): number {
  return state.status === 'unsubmitted' || state.status === 'purged' ? 1 : 1 + state.facts.outputs.length;
}
