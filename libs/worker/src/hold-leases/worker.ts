import type { JobLease } from '@heddle/contracts-messages';
import { AttemptControl } from '../run-attempt/attempt-control.js';
import { RunAttemptHandler } from '../run-attempt/run-attempt.handler.js';
import type { WorkerPorts } from '../run-attempt/run-attempt.handler.js';
import type { WorkerSettings } from '../worker-settings.js';
import { HeldLeases } from './held-leases.js';

const ACQUIRE_WAIT_MS = 20_000;

/**
 * Leases jobs and runs up to `slots` of them at once. Its trust window: a lease counts as held for two thirds of the
 * lease time after the last heartbeat that was answered, by the worker's own monotonic clock; then it stops by itself,
 * before the database could give the job to somebody else (reliability 3.4).
 */
export class Worker {
  readonly #ports: WorkerPorts;
  readonly #workerId: string;
  readonly #settings: WorkerSettings;
  readonly #attempts: RunAttemptHandler;
  readonly #held: HeldLeases;
  readonly #running = new Set<Promise<void>>();
  /** Of those that run, how many have the engine; the others only write down how they ended. */
  #engaged = 0;
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #unwatch: () => void = () => undefined;
  #slotFreed: () => void = () => undefined;

  constructor(ports: WorkerPorts, workerId: string, settings: WorkerSettings) {
    this.#ports = ports;
    this.#workerId = workerId;
    this.#settings = settings;
    this.#attempts = new RunAttemptHandler(ports, workerId, settings);
    this.#held = new HeldLeases(ports.leases, workerId);
  }

  /** How its slots are used now; a draining worker takes no more jobs. */
  get slots(): { readonly busy: number; readonly idle: number; readonly draining: number } {
    if (this.#stopping.signal.aborted) return { busy: 0, idle: 0, draining: this.#running.size };
    return { busy: this.#engaged, idle: this.#settings.slots - this.#engaged, draining: 0 };
  }

  start(): void {
    if (this.#settings.slots === 0) return;
    this.#unwatch = this.#ports.leases.watch(this.#workerId, (state) => this.#held.apply(state, null));
    this.#loop = this.#acquireLoop();
  }

  /** Takes no new jobs, lets the running ones go on for the drain time, then hands them back. */
  async drain(): Promise<void> {
    this.#stopping.abort();
    this.#slotFreed();
    await this.#loop;
    const patience = setTimeout(() => this.#held.stopAll('drain'), this.#settings.drainMs);
    await Promise.all(this.#running);
    clearTimeout(patience);
    this.#held.close();
    this.#unwatch();
  }

  async #acquireLoop(): Promise<void> {
    const { leases, engine } = this.#ports;
    let pauseMs = 100;
    while (!this.#stopping.signal.aborted) {
      const slots = this.#freeSlots();
      if (slots === 0) {
        await new Promise<void>((resolve) => (this.#slotFreed = resolve));
        continue;
      }
      // While the engine is away jobs stay in the queue, with all their attempts.
      await engine.whenReady?.(this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      const request = {
        workerId: this.#workerId,
        environment: engine.environment,
        deploymentId: null,
        slots,
        waitMs: ACQUIRE_WAIT_MS,
      };
      try {
        const acquired = await leases.acquire(request, this.#stopping.signal);
        for (const lease of acquired) this.#begin(lease);
        pauseMs = 100;
      } catch {
        await pause(pauseMs, this.#stopping.signal);
        pauseMs = Math.min(pauseMs * 2, 1000);
      }
    }
  }

  /** The engine need not wait until the end of the job before is on disk; ends that pile up are waited for. */
  #freeSlots(): number {
    const { slots } = this.#settings;
    return Math.max(0, Math.min(slots - this.#engaged, 2 * slots - this.#running.size));
  }

  #begin(lease: JobLease): void {
    const control = new AttemptControl();
    this.#held.add(lease, control);
    this.#engaged += 1;
    let hasEngine = true;
    const leaveEngine = (): void => {
      if (hasEngine) this.#engaged -= 1;
      hasEngine = false;
      this.#slotFreed();
    };
    const run = this.#attempts.handle(lease, control, leaveEngine).finally(() => {
      leaveEngine();
      this.#held.remove(lease);
      this.#running.delete(run);
      this.#slotFreed();
    });
    this.#running.add(run);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
