import type { DeploymentFeed } from '@heddle/contracts-messages';
import type { MemoryDirectory } from './memory-directory.js';

const INTERVAL_MS = 500;
const MAX_BACKOFF_MS = 5_000;

/**
 * Keeps the directory of a process: reads everything at the start, and then what changed. A feed that is away leaves the
 * directory as it was, and the first answer after it brings all that was missed.
 */
export class DirectoryFollower {
  #next: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = true;
  #failures = 0;

  constructor(
    private readonly feed: DeploymentFeed,
    private readonly directory: MemoryDirectory,
    private readonly onError: (error: unknown) => void,
    private readonly intervalMs: number = INTERVAL_MS,
  ) {}

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#turn();
  }

  /** Waits for the round in flight. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** Reads what changed; rejects if the feed is away. */
  async read(): Promise<void> {
    const changes = await this.feed.changes(this.#next);
    this.directory.apply(changes);
    this.#next = changes.next;
  }

  #turn(): void {
    this.#round = this.read()
      .then(
        () => (this.#failures = 0),
        (error: unknown) => {
          // The first failure of a row is reported; the next ones are the same outage.
          if (!this.#stopped && this.#failures++ === 0) this.onError(error);
        },
      )
      .then(() => this.#again());
  }

  #again(): void {
    if (this.#stopped) return;
    const waitMs = Math.min(MAX_BACKOFF_MS, this.intervalMs * 2 ** Math.min(this.#failures, 10));
    this.#timer = setTimeout(() => this.#turn(), this.#failures === 0 ? this.intervalMs : waitMs);
  }
}
