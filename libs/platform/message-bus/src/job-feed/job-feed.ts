export type FeedListener<Item> = (item: Item) => void;

/**
 * Fan-out within this process, by job. It keeps nothing: an item reaches whoever listens at that moment, so its memory is that of
 * the open subscriptions, whatever the traffic. Who needs the past takes a snapshot after subscribing.
 */
export class JobFeed<Item> {
  readonly #listeners = new Map<string, Set<FeedListener<Item>>>();

  /** A listener that throws is told to `onFailure`; the others get the item all the same. */
  constructor(private readonly onFailure: (failure: unknown, jobId: string) => void = () => undefined) {}

  /** Calls the job's listeners before it returns, in the order of their subscriptions. */
  publish(jobId: string, item: Item): void {
    const listeners = this.#listeners.get(jobId);
    if (!listeners) return;
    // A copy, as listeners come and go while they are called.
    for (const listener of [...listeners]) {
      if (!listeners.has(listener)) continue;
      try {
        listener(item);
      } catch (failure) {
        this.onFailure(failure, jobId);
      }
    }
  }

  /** Returns what ends the subscription; calling that again does nothing. */
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

  /** Whether anybody listens: what nobody watches need not be made. */
  watched(jobId: string): boolean {
    return this.#listeners.has(jobId);
  }

  /** Jobs with at least one listener. */
  get watchedJobs(): number {
    return this.#listeners.size;
  }
}
