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
 * Cached states of jobs that have not ended, so that a report need not read the whole stream. They may be stale
 * (another process wrote): the append detects this by the version, and the handler reloads. Least recently used entries
 * are evicted first.
 */
export class KnownJobs {
  readonly #jobs: RecentEntries<JobId, KnownJob>;

  constructor(capacity: number) {
    this.#jobs = new RecentEntries(capacity, ({ state }) => weightOf(state));
  }

  get(jobId: JobId): KnownJob | undefined {
    return this.#jobs.get(jobId);
  }

  /** Keeps the newer of the cached and the given state. */
  put(jobId: JobId, job: KnownJob): void {
    const known = this.#jobs.get(jobId);
    if (known !== undefined && versionOf(known.state) > versionOf(job.state)) return;
    const isOver = isEnded(job.state) || job.state.status === 'purged' || job.state.status === 'unsubmitted';
    if (isOver) this.evict(jobId);
    else this.#jobs.set(jobId, job);
  }

  /** Called first after each commit in this process: a worker that gets the job finds it here. */
  onCommitted({ jobId, accountId, deploymentId, after }: CommittedJob): void {
    this.put(jobId, { accountId, deploymentId, state: after });
  }

  evict(jobId: JobId): void {
    this.#jobs.delete(jobId);
  }
}

export function versionOf(state: JobState): number {
  return state.status === 'unsubmitted' || state.status === 'purged' ? state.version : state.facts.version;
}

function weightOf(state: JobState): number {
  return state.status === 'unsubmitted' || state.status === 'purged' ? 1 : 1 + state.facts.outputs.length;
}
