import type { JobId, OutcomeReported } from '@heddle/contracts-messages';

/**
 * Outcomes that overtook an output of theirs: the output came to the bus, the outcome by the direct call. They are tried
 * again with the job's next report, and every second, since the output may have come to another replica. Bounded; one that is forgotten is reported again, or its lease runs out.
 */
export class ParkedOutcomes {
  readonly #outcomes = new Map<JobId, OutcomeReported>();

  constructor(private readonly capacity: number) {}

  park(outcome: OutcomeReported): void {
    this.#outcomes.delete(outcome.jobId);
    this.#outcomes.set(outcome.jobId, outcome);
    if (this.#outcomes.size <= this.capacity) return;
    const oldest = this.#outcomes.keys().next();
    if (!oldest.done) this.#outcomes.delete(oldest.value);
  }

  /** Jobs with one that waits. */
  jobs(): readonly JobId[] {
    return [...this.#outcomes.keys()];
  }

  take(jobId: JobId): OutcomeReported | null {
    const outcome = this.#outcomes.get(jobId) ?? null;
    this.#outcomes.delete(jobId);
    return outcome;
  }
}
