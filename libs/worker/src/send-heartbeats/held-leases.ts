import type { JobLease, LeaseKey, LeaseState, WorkSession } from '@heddle/contracts-messages';
import type { AttemptControl, StopReason } from '../run-attempt/attempt-control.js';

interface Held {
  readonly lease: JobLease;
  readonly control: AttemptControl;
}

const keyOf = ({ jobId, fence }: LeaseKey): string => `${jobId}:${fence}`;

/**
 * The leases of one worker: sends one heartbeat for all, and applies the answers to the runs. A heartbeat without an
 * answer has no effect: the run continues until the jobs service reports its lease as lost. The service rescues nothing
 * within a lease of its own outage, and the fence keeps a late run from changing anything (docs/decisions/0021).
 */
export class HeldLeases {
  readonly #session: Pick<WorkSession, 'heartbeat'>;
  readonly #held = new Map<string, Held>();
  #timer: NodeJS.Timeout | null = null;
  #asking = false;

  constructor(session: Pick<WorkSession, 'heartbeat'>) {
    this.#session = session;
  }

  add(lease: JobLease, control: AttemptControl): void {
    this.#held.set(keyOf(lease), { lease, control });
    this.#schedule();
  }

  remove(lease: JobLease): void {
    this.#held.delete(keyOf(lease));
    if (this.#held.size === 0) this.close();
  }

  /** Applies the state of a lease, as the jobs service reports it. */
  apply(state: LeaseState): void {
    const control = this.#held.get(keyOf(state))?.control;
    if (state.state === 'lost') control?.stop('lost');
    if (state.state === 'cancel_requested') control?.stop('cancel');
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
    this.#timer = setTimeout(() => void this.#heartbeat(), (shortest * 1000) / 6);
  }

  async #heartbeat(): Promise<void> {
    this.#timer = null;
    this.#schedule();
    if (this.#asking) return;
    this.#asking = true;
    try {
      const keys = [...this.#held.values()].map(({ lease }) => ({ jobId: lease.jobId, fence: lease.fence }));
      if (keys.length > 0) for (const state of await this.#session.heartbeat(keys)) this.apply(state);
    } catch {
      // The next heartbeat asks again.
    } finally {
      this.#asking = false;
    }
  }
}
