import type { JobId, LiveItem } from '@heddle/contracts-messages';
import type { JobFeed } from '@heddle/platform-message-bus';

/** Maximum events of one job while its view is read. */
const MAX_EVENTS = 32;

/**
 * Buffers the items of a job while its view is read. So a caller that listens first and then reads misses nothing in
 * between, and need not read twice. Only the newest progress and preview are kept.
 */
export class BufferedItems {
  readonly #items: LiveItem[] = [];
  readonly #unsubscribe: () => void;
  #missed = false;

  constructor(feed: JobFeed<LiveItem>, jobId: JobId) {
    this.#unsubscribe = feed.subscribe(jobId, (item) => this.#buffer(item));
  }

  /** Items were dropped: the job must be read again. */
  get missed(): boolean {
    return this.#missed;
  }

  /** Stops listening; returns the items in order. */
  end(): readonly LiveItem[] {
    this.#unsubscribe();
    return this.#items;
  }

  #buffer(item: LiveItem): void {
    if (item.kind !== 'job') {
      const older = this.#items.findIndex(({ kind }) => kind === item.kind);
      if (older >= 0) this.#items.splice(older, 1);
    } else if (this.#items.length >= MAX_EVENTS) {
      this.#missed = true;
      return;
    }
    this.#items.push(item);
  }
}
