import type { JobId, LiveItem } from '@heddle/contracts-messages';
import { isNewer } from './job-channel.js';

type ProgressItem = Extract<LiveItem, { kind: 'progress' }>;

/** Of so many jobs at most; beyond that the older half goes, whose progress has been stored since. */
const MAX_JOBS = 10_000;

/**
 * The last progress of each running job, for streams that come later: one that comes in the moment in which progress was told here
 * and is not stored yet reads the job without it, and a node that stands still tells no more.
 */
export class LastProgress {
  readonly #items = new Map<JobId, ProgressItem>();

  get(jobId: JobId): ProgressItem | null {
    return this.#items.get(jobId) ?? null;
  }

  keep(jobId: JobId, item: ProgressItem): void {
    const known = this.#items.get(jobId);
    if (known !== undefined && !isNewer(item, known)) return;
    this.#items.set(jobId, item);
    if (this.#items.size > MAX_JOBS) this.#forgetHalf();
  }

  #forgetHalf(): void {
    let left = MAX_JOBS / 2;
    for (const jobId of this.#items.keys()) {
      if (left === 0) return;
      this.#items.delete(jobId);
      left -= 1;
    }
  }
}
