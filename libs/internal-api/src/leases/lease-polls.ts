import { setTimeout as delay } from 'node:timers/promises';
import { newUuid } from '@heddle/contracts-messages';
import type { JobLease, LeaseRequest } from '@heddle/contracts-messages';
import { ServiceAwayError, StickyTarget } from '@heddle/platform-service-calls';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';
import { decodeLeases } from './lease-wire.js';

/** How long a poll that was hung up may take to say what was leased meanwhile. */
const HANG_UP_MS = 2_000;
/** Between polls that break one after the other. */
const PAUSE_MS = 250;

/** Long polls for work. One is open at a time for a worker: it never gets more leases than it has slots. */
export class LeasePolls {
  readonly #client: ServiceClient;
  readonly #sticky = new StickyTarget();

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** A replica that breaks off or falls silent is left for another at once, for as long as the wait lasts. */
  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<readonly JobLease[]> {
    const until = performance.now() + request.waitMs;
    for (let breaks = 0; ; breaks += 1) {
      if (breaks > 1) await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || request.slots < 1) return [];
      const waitMs = Math.max(0, until - performance.now());
      try {
        return await this.#poll({ ...request, waitMs }, signal);
      } catch (error) {
        const another = error instanceof ServiceAwayError && error.mayHaveActed && performance.now() < until;
        if (!another) throw error;
      }
    }
  }

  async #poll(request: LeaseRequest, signal: AbortSignal): Promise<readonly JobLease[]> {
    const pollId = newUuid();
    const cut = new AbortController();
    let isOpen = false;
    let leases: readonly JobLease[] = [];
    let timer: NodeJS.Timeout | undefined;
    const hangUp = (): void => {
      // One that has not begun is cut: whatever is leased to it is given back there.
      if (!isOpen) return cut.abort();
      timer = setTimeout(() => cut.abort(), HANG_UP_MS);
      this.#sayHangUp(pollId);
    };
    signal.addEventListener('abort', hangUp, { once: true });
    try {
      await this.#client.keep({
        path: CALLS.leases.acquire,
        head: { pollId, request },
        sticky: this.#sticky,
        signal: cut.signal,
        onOpen: () => (isOpen = true),
        onParcel: (parcel) => (leases = decodeLeases(parcel)),
      });
      return leases;
    } catch (error) {
      if (leases.length > 0 || cut.signal.aborted) return leases;
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', hangUp);
    }
  }

  /** Where it does not arrive, the poll is cut a little later. */
  #sayHangUp(pollId: string): void {
    const at = this.#sticky.current ?? undefined;
    const call = { path: CALLS.leases.hangUp, head: { pollId }, repeatable: false, deadlineMs: HANG_UP_MS, at };
    this.#client.call(call).catch(() => undefined);
  }
}
