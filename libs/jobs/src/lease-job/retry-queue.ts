import type { JobId } from '@heddle/contracts-messages';

const RETRY_PAUSE_MS = 500;
const MAX_JOBS = 1_000;

/** Jobs that this replica retries after a pause, so that jobs behind them get their turn. */
export class RetryQueue {
  readonly #until = new Map<JobId, number>();

  add(jobId: JobId): void {
    this.#until.set(jobId, performance.now() + RETRY_PAUSE_MS);
    if (this.#until.size <= MAX_JOBS) return;
    const oldest = this.#until.keys().next();
    if (!oldest.done) this.#until.delete(oldest.value);
  }

  /** Jobs whose pause has not ended. */
  jobs(): readonly JobId[] {
    const now = performance.now();
    for (const [jobId, until] of this.#until) if (until <= now) this.#until.delete(jobId);
    return [...this.#until.keys()];
  }
}
