import { Injectable } from '@nestjs/common';
import { poolKey } from '@heddle/contracts-messages';
import type { LateLease, PolledPool, WorkerPool } from '@heddle/contracts-messages';
import { millisecondsBetween } from '@heddle/jobs-domain';
import type { CommittedJob } from '../commit-job-events/committed-job.js';

/** A pool without workers for less than this is not cold: its workers come back after a cut connection. */
export const RECONNECT_MS = 30_000;

interface Member {
  readonly pool: WorkerPool;
  workers: number;
  /** When the first worker joined, by the process's monotonic clock. */
  readonly since: number;
  /** When the last worker left; null while there is one. */
  emptySince: number | null;
  hasLease: boolean;
}

/** How many workers of each pool have a session here, and which first leases came after a wait for a worker. */
@Injectable()
export class PoolMembers {
  readonly #members = new Map<string, Member>();
  readonly #begun = performance.now();
  #onLateLease: (lease: LateLease) => void = () => undefined;

  pools(): readonly PolledPool[] {
    return [...this.#members.values()]
      .filter(({ workers }) => workers > 0)
      .map(({ pool, workers }) => ({ ...pool, workers }));
  }

  onLateLease(listener: (lease: LateLease) => void): void {
    this.#onLateLease = listener;
  }

  /** Returns how to leave. */
  join({ deploymentId, revision }: WorkerPool): () => void {
    const key = poolKey({ deploymentId, revision });
    const now = performance.now();
    this.#forgetCold(now);
    const made = { pool: { deploymentId, revision }, workers: 0, since: now, emptySince: null, hasLease: false };
    const member = this.#members.get(key) ?? made;
    member.workers += 1;
    member.emptySince = null;
    this.#members.set(key, member);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      member.workers -= 1;
      if (member.workers === 0) member.emptySince = performance.now();
    };
  }

  /** Called after each commit in this process. */
  onCommitted({ deploymentId, before, after }: CommittedJob): void {
    if (before.status !== 'queued' || after.status !== 'running') return;
    const { revision } = after.facts.submission;
    const member = this.#members.get(poolKey({ deploymentId, revision }));
    if (member === undefined || member.hasLease) return;
    member.hasLease = true;
    const waitedMs = millisecondsBetween(before.queuedAt, after.lease.leasedAt) ?? 0;
    const now = performance.now();
    // Before this process began, the pool may have had workers here.
    const isLate = waitedMs > now - member.since && waitedMs < now - this.#begun;
    if (isLate) this.#onLateLease({ deploymentId, revision, waitedMs });
  }

  #forgetCold(now: number): void {
    for (const [key, { emptySince }] of this.#members)
      if (emptySince !== null && now - emptySince >= RECONNECT_MS) this.#members.delete(key);
  }
}
