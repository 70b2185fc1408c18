import { Injectable } from '@nestjs/common';
import { isLeased } from '@heddle/jobs-domain';
import type { LeaseState, WorkerLeaseState } from '@heddle/contracts-messages';
import type { CommittedJob } from '../commit-job-events/committed-job.js';

/** Notifies workers with a session at this replica at once of cancel requests and lost leases. */
@Injectable()
export class LeaseNotifier {
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

  /** Called after each commit in this process. */
  onCommitted(committed: CommittedJob): void {
    const change = leaseChangeOf(committed);
    if (change !== null) this.notify(change.workerId, change.state);
  }

  notify(workerId: string, state: LeaseState): void {
    for (const listener of this.#listeners.get(workerId) ?? []) listener(state);
  }
}

/** The effect of a commit on the worker that holds the job; null if the worker knows it already or is not affected. */
export function leaseChangeOf({ jobId, before, after, events }: CommittedJob): WorkerLeaseState | null {
  if (!isLeased(before)) return null;
  const { workerId } = before.lease;
  const { fence } = before.facts;
  if (isLeased(after)) {
    const isCancel = before.status === 'running' && after.status === 'canceling';
    return isCancel ? { workerId, state: { jobId, fence, state: 'cancel_requested' } } : null;
  }
  // A worker that ended its lease itself knows.
  return events.at(-1)?.workerSequence === null ? { workerId, state: { jobId, fence, state: 'lost' } } : null;
}
