import { isLeased } from '@heddle/jobs-domain';
import type { LeaseState } from '@heddle/contracts-messages';
import type { CommittedJob } from '../commit-job-events/committed-job.js';

/** Tells workers of this process at once when a cancel was asked for or a lease was lost. */
export class LeaseWatch {
  readonly #listeners = new Map<string, Set<(state: LeaseState) => void>>();

  watch(workerId: string, listener: (state: LeaseState) => void): () => void {
    const listeners = this.#listeners.get(workerId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(workerId, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(workerId) === listeners) this.#listeners.delete(workerId);
    };
  }

  /** Subscribed to what is committed here. */
  onCommitted({ jobId, before, after, events }: CommittedJob): void {
    if (!isLeased(before)) return;
    const { fence } = before.facts;
    if (isLeased(after)) {
      if (before.status === 'running' && after.status === 'canceling') {
        this.#tell(before.lease.workerId, { jobId, fence, state: 'cancel_requested' });
      }
      return;
    }
    // A worker that ended its lease itself knows.
    if (events.at(-1)?.workerSequence === null) this.#tell(before.lease.workerId, { jobId, fence, state: 'lost' });
  }

  #tell(workerId: string, state: LeaseState): void {
    for (const listener of this.#listeners.get(workerId) ?? []) listener(state);
  }
}
