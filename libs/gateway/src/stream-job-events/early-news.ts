import type { JobId, LiveItem } from '@heddle/contracts-messages';
import type { JobFeed } from '@heddle/platform-message-bus';

/** Events of one job in the moment in which its view is read. */
const MAX_EVENTS = 32;

/**
 * What is told of a job while its view is being read: whoever listens first and reads then misses nothing between the
 * two, and need not read twice. Of progress and previews the newest is kept.
 */
export class EarlyNews {
  readonly #items: LiveItem[] = [];
  readonly #unsubscribe: () => void;
  #missed = false;

  constructor(feed: JobFeed<LiveItem>, jobId: JobId) {
    this.#unsubscribe = feed.subscribe(jobId, (item) => this.#hear(item));
  }

  /** More came than is kept: the job has to be read again. */
  get missed(): boolean {
    return this.#missed;
  }

  /** Listens no longer; what came, in its order. */
  end(): readonly LiveItem[] {
    this.#unsubscribe();
    return this.#items;
  }

  #hear(item: LiveItem): void {
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
