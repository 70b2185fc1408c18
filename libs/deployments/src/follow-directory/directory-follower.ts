import { backoffMs } from '@heddle/contracts-messages';
import type { DeploymentFeed } from '@heddle/contracts-messages';
import type { MemoryDirectory } from './memory-directory.js';

/** Time from one question to the next; what a change takes at most to be seen by a feed that does not wait. */
const INTERVAL_MS = 250;
const MAX_BACKOFF_MS = 2_000;

interface Following {
  /** How long the feed may wait for a change before it answers; 0: it answers at once. */
  readonly waitMs: number;
  onError(error: unknown): void;
  /** The feed answers again. */
  onRecovered?(): void;
}

/**
 * Keeps the directory of a process: reads everything at the start, and then what changed. An unreachable feed leaves
 * the directory as it was, and the first answer after it brings all that was missed.
 */
export class DirectoryFollower {
  #next: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = true;
  #failures = 0;
  #answeredAt: number | null = null;

  constructor(
    private readonly feed: DeploymentFeed,
    private readonly directory: Pick<MemoryDirectory, 'apply'>,
    private readonly following: Following,
  ) {}

  /** True while the directory may be older than the feed. */
  get isBehind(): boolean {
    return this.#failures > 0 || this.#answeredAt === null;
  }

  /** Since the last answer; null before the first one. */
  get ageMs(): number | null {
    return this.#answeredAt === null ? null : performance.now() - this.#answeredAt;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#turn();
  }

  /** Waits for a read in flight, but not for an answer that itself waits. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.following.waitMs === 0) await this.#round;
  }

  /** Reads what changed; rejects if the feed is unreachable. */
  async read(): Promise<void> {
    const changes = await this.feed.changes(this.#next, this.following.waitMs);
    this.directory.apply(changes);
    this.#next = changes.next;
    this.#answeredAt = performance.now();
  }

  #turn(): void {
    const begun = performance.now();
    this.#round = this.read()
      .then(
        () => this.#answered(),
        (error: unknown) => {
          // The first failure of a row is reported; the next ones are the same outage.
          if (!this.#stopped && this.#failures++ === 0) this.following.onError(error);
        },
      )
      .then(() => this.#again(performance.now() - begun));
  }

  #answered(): void {
    if (this.#failures > 0) this.following.onRecovered?.();
    this.#failures = 0;
  }

  #again(tookMs: number): void {
    if (this.#stopped) return;
    const intervalMs = backoffMs(this.#failures, INTERVAL_MS, MAX_BACKOFF_MS);
    this.#timer = setTimeout(() => this.#turn(), Math.max(0, intervalMs - tookMs));
  }
}
