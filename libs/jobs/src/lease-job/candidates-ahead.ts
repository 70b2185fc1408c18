import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';

export interface Candidate {
  readonly jobId: JobId;
  readonly deploymentId: DeploymentId;
  readonly accountId: AccountId;
}

/** As long as another replica's news may take to count here. */
const FRESH_MS = 100;

/**
 * The next jobs of the queue, in its fair order, as the last look at it showed them: while workers take one job after the
 * other, most leases need no look of their own. Whatever could put another job before them makes them worthless.
 */
export class CandidatesAhead {
  #candidates: Candidate[] = [];
  #wanted = '';
  #until = 0;

  /** `wanted` names whose jobs were asked for. */
  keep(candidates: readonly Candidate[], wanted: string): void {
    this.#candidates = [...candidates];
    this.#wanted = wanted;
    this.#until = performance.now() + FRESH_MS;
  }

  /** At most `most` of them, each once; none where others are wanted or the look was too long ago. */
  take(most: number, wanted: string): readonly Candidate[] {
    if (this.#wanted !== wanted || performance.now() > this.#until) this.forget();
    return this.#candidates.splice(0, most);
  }

  /** A job was submitted: behind its own account's jobs, but perhaps before another's. */
  arrived(accountId: AccountId): void {
    if (this.#candidates.some((candidate) => candidate.accountId !== accountId)) this.forget();
  }

  forget(): void {
    this.#candidates = [];
  }
}
