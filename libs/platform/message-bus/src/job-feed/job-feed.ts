type FeedListener<Item> = (item: Item) => void;

/**
 * Fan-out by job within this process. It stores nothing: an item reaches the current listeners only, so memory depends
 * on open subscriptions, not on traffic. A listener that needs the past takes a snapshot after it subscribes.
 */
export class JobFeed<Item> {
  readonly #listeners = new Map<string, Set<FeedListener<Item>>>();

  /** An exception of a listener is reported to `onFailure`; the other listeners still get the item. */
  constructor(private readonly onFailure: (failure: unknown, jobId: string) => void = () => undefined) {}

  /** Calls the job's listeners synchronously, in the order of their subscriptions. */
  publish(jobId: string, item: Item): void {
    const listeners = this.#listeners.get(jobId);
    if (!listeners) return;
    // A copy: listeners may subscribe and unsubscribe while they are called.
    for (const listener of [...listeners]) {
      if (!listeners.has(listener)) continue;
      try {
        listener(item);
      } catch (failure) {
        this.onFailure(failure, jobId);
      }
    }
  }

  /** Returns the unsubscribe function; calling it twice has no effect. */
  subscribe(jobId: string, listener: FeedListener<Item>): () => void {
    const own: FeedListener<Item> = (item) => listener(item);
    const listeners = this.#listeners.get(jobId) ?? new Set();
    this.#listeners.set(jobId, listeners);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(jobId) === listeners) this.#listeners.delete(jobId);
    };
  }

  /** True if the job has listeners: items that nobody watches need not be built. */
  watched(jobId: string): boolean {
    return this.#listeners.has(jobId);
  }

  /** Jobs with at least one listener. */
  get watchedJobs(): number {
    return this.#listeners.size;
  }
}
