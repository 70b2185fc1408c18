import type { JobId, LiveItem } from '@heddle/contracts-messages';
import { isNewer } from './job-channel.js';

type ProgressItem = Extract<LiveItem, { kind: 'progress' }>;

/** Maximum jobs; beyond it the older half is dropped, whose progress has been stored since. */
const MAX_JOBS = 10_000;

/**
 * The last progress of each running job, for later streams: a stream that opens between the live report and its storage
 * reads the job without it, and a node that stands still reports no more.
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
