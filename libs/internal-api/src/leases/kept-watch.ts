import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseState } from '@heddle/contracts-messages';
import { StickyTarget } from '@heddle/platform-service-calls';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Listens to what jobs has to tell a worker about its leases, and opens the stream again whenever it breaks. */
export class KeptWatch {
  readonly #ended = new AbortController();

  /** `resynchronise` is called when the stream is open: it makes up for what was told while nobody listened. */
  constructor(
    private readonly client: ServiceClient,
    private readonly workerId: string,
    private readonly listener: (state: LeaseState) => void,
    private readonly resynchronise: () => Promise<void>,
  ) {
    void this.#listen();
  }

  end(): void {
    this.#ended.abort();
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ended;
    const sticky = new StickyTarget();
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const kept = this.client.keep({
        path: CALLS.leases.watch,
        head: { workerId: this.workerId },
        sticky,
        signal,
        onOpen: () => {
          pauseMs = FIRST_PAUSE_MS;
          // Its next heartbeat tells the worker the same.
          this.resynchronise().catch(() => undefined);
        },
        onParcel: ({ head }) => this.listener(head as LeaseState),
      });
      await kept.catch(() => undefined);
      await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }
}
