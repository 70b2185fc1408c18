import type { JobLease, LeaseKey, LeaseState, WorkSession } from '@heddle/contracts-messages';
import type { AttemptControl, StopReason } from '../run-attempt/attempt-control.js';

interface Held {
  readonly lease: JobLease;
  readonly control: AttemptControl;
  /** performance.now() until which the lease may be trusted without a further answer. */
  trustedUntil: number;
  /** The engine is done with it: all that is left is to report how it ended, for which it needs no trust. */
  hasRun: boolean;
}

const keyOf = ({ jobId, fence }: LeaseKey): string => `${jobId}:${fence}`;

/** The leases of one worker: one heartbeat for all of them, and what the answers mean for each run. */
export class HeldLeases {
  readonly #session: Pick<WorkSession, 'heartbeat'>;
  readonly #held = new Map<string, Held>();
  #timer: NodeJS.Timeout | null = null;
  #beating = false;

  constructor(session: Pick<WorkSession, 'heartbeat'>) {
    this.#session = session;
  }

  add(lease: JobLease, control: AttemptControl): void {
    const trustedUntil = trustFrom(lease, performance.now());
    this.#held.set(keyOf(lease), { lease, control, trustedUntil, hasRun: false });
    this.#schedule();
  }

  /** Its run is over. The lease stays until the jobs service has stored the end, or says that it is lost. */
  hasRun(lease: JobLease): void {
    const held = this.#held.get(keyOf(lease));
    if (held !== undefined) held.hasRun = true;
  }

  remove(lease: JobLease): void {
    this.#held.delete(keyOf(lease));
    if (this.#held.size === 0) this.close();
  }

  /** What jobs says of a lease; `askedAt` (performance.now()) is given when it answers a heartbeat sent then. */
  apply(state: LeaseState, askedAt: number | null): void {
    const held = this.#held.get(keyOf(state));
    if (held === undefined) return;
    if (state.state === 'lost') {
      held.control.stop('lost');
      return;
    }
    if (askedAt !== null) held.trustedUntil = trustFrom(held.lease, askedAt);
    if (state.state === 'cancel_requested') held.control.stop('cancel');
  }

  stopAll(reason: StopReason): void {
    for (const { control } of this.#held.values()) control.stop(reason);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    if (this.#timer !== null || this.#held.size === 0) return;
    const shortest = Math.min(...[...this.#held.values()].map(({ lease }) => lease.leaseSeconds));
    this.#timer = setTimeout(() => void this.#beat(), (shortest * 1000) / 6);
  }

  async #beat(): Promise<void> {
    this.#timer = null;
    const now = performance.now();
    for (const { control, trustedUntil, hasRun } of this.#held.values()) {
      if (now > trustedUntil && !hasRun) control.stop('lost');
    }
    this.#schedule();
    if (this.#beating) return;
    this.#beating = true;
    try {
      const keys = [...this.#held.values()].map(({ lease }) => ({ jobId: lease.jobId, fence: lease.fence }));
      if (keys.length > 0) for (const state of await this.#session.heartbeat(keys)) this.apply(state, now);
    } catch {
      // The trust window decides what a heartbeat without an answer means.
    } finally {
      this.#beating = false;
    }
  }
}

function trustFrom(lease: JobLease, answeredAt: number): number {
  return answeredAt + (lease.leaseSeconds * 1000 * 2) / 3;
}
