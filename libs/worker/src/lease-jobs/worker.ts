import type { JobLease, WorkerPool, WorkSession } from '@heddle/contracts-messages';
import { AttemptControl } from '../run-attempt/attempt-control.js';
import { RunAttemptHandler } from '../run-attempt/run-attempt.handler.js';
import type { WorkerPorts } from '../run-attempt/run-attempt.handler.js';
import { HeldLeases } from '../send-heartbeats/held-leases.js';
import type { WorkerSettings } from '../settings.js';

/** Leases jobs and runs up to `slots` of them at once. */
export class Worker {
  readonly #ports: WorkerPorts;
  readonly #settings: WorkerSettings;
  readonly #session: WorkSession;
  readonly #attempts: RunAttemptHandler;
  readonly #held: HeldLeases;
  readonly #running = new Set<Promise<void>>();
  /** Running jobs that use the engine; the others only report their end. */
  #engaged = 0;
  readonly #stopping = new AbortController();
  #isOffering = false;
  #offerAgain = false;

  constructor(ports: WorkerPorts, workerId: string, pool: WorkerPool, settings: WorkerSettings) {
    this.#ports = ports;
    this.#settings = settings;
    const { environment } = ports.engine;
    this.#session = ports.work.open(
      { workerId, environment, ...pool },
      {
        leases: (leases) => leases.forEach((lease) => this.#begin(lease)),
        state: (state) => this.#held.apply(state),
      },
    );
    this.#attempts = new RunAttemptHandler(ports, this.#session, settings);
    this.#held = new HeldLeases(this.#session);
  }

  /** Current use of the slots; a draining worker accepts no more jobs. */
  get slots(): { readonly busy: number; readonly idle: number; readonly draining: number } {
    if (this.#stopping.signal.aborted) return { busy: 0, idle: 0, draining: this.#running.size };
    return { busy: this.#engaged, idle: this.#settings.slots - this.#engaged, draining: 0 };
  }

  start(): void {
    this.#slotsChanged();
  }

  /** Accepts no new jobs, lets running ones continue for the drain time, then hands them back. */
  async drain(): Promise<void> {
    this.#stopping.abort();
    this.#session.offer(0);
    const patience = setTimeout(() => this.#held.stopAll('drain'), this.#settings.drainMs);
    while (this.#running.size > 0) await Promise.all(this.#running);
    clearTimeout(patience);
    this.#held.close();
    await this.#session.close();
  }

  /** Offers the free slots. While the engine is unreachable jobs stay queued, with all their attempts. */
  #slotsChanged(): void {
    this.#offerAgain = true;
    if (this.#isOffering) return;
    this.#isOffering = true;
    void this.#offer().finally(() => (this.#isOffering = false));
  }

  async #offer(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#offerAgain && !signal.aborted) {
      if (this.#freeSlots() > 0) await this.#ports.engine.whenReady?.(signal);
      this.#offerAgain = false;
      if (!signal.aborted) this.#session.offer(this.#freeSlots());
    }
  }

  /** The engine need not wait until the previous job's end is stored, but a backlog of ends is waited for. */
  #freeSlots(): number {
    const { slots } = this.#settings;
    return Math.max(0, Math.min(slots - this.#engaged, 2 * slots - this.#running.size));
  }

  #begin(lease: JobLease): void {
    if (this.#stopping.signal.aborted) return this.#decline(lease);
    const control = new AttemptControl();
    this.#held.add(lease, control);
    this.#engaged += 1;
    let hasEngine = true;
    const leaveEngine = (): void => {
      if (!hasEngine) return;
      hasEngine = false;
      this.#engaged -= 1;
      this.#slotsChanged();
    };
    const run = this.#attempts.handle(lease, control, leaveEngine).finally(() => {
      leaveEngine();
      this.#held.remove(lease);
      this.#running.delete(run);
      this.#slotsChanged();
    });
    this.#running.add(run);
  }

  /** The lease was on its way when the worker began to stop. */
  #decline(lease: JobLease): void {
    const declined = this.#session
      .handBack(lease)
      .catch(() => undefined)
      .finally(() => this.#running.delete(declined));
    this.#running.add(declined);
  }
}
