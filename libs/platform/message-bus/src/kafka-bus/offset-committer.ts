/** Commits the offset of each partition; rejects with the broker's own error. */
type CommitOffsets = (offsets: ReadonlyMap<number, bigint>) => Promise<void>;

const RETRY_MS = 250;

/**
 * Tracks handled offsets and commits them, one request at a time: the first at once, later ones together after a pause.
 * A failed commit is retried; `onStuck` is called if that lasts too long.
 */
export class OffsetCommitter {
  readonly #pending = new Map<number, bigint>();
  #timer: NodeJS.Timeout | undefined;
  #committing: Promise<void> | undefined;
  #failingSince: number | undefined;
  #lastAt = 0;

  constructor(
    private readonly commit: CommitOffsets,
    private readonly intervalMs: number,
    private readonly stuckAfterMs: number,
    private readonly onStuck: (error: unknown) => void,
  ) {}

  /** Everything below `next` is handled. */
  handled(partition: number, next: bigint): void {
    this.#pending.set(partition, next);
    this.#schedule(this.#lastAt + this.intervalMs - Date.now());
  }

  /** The partition belongs to another member: committing would set that member back. */
  remove(partition: number): void {
    this.#pending.delete(partition);
  }

  /** Tries once to commit what is left, then stops committing. */
  async close(): Promise<void> {
    await this.#committing;
    this.#clear();
    if (this.#pending.size > 0) await this.commit(new Map(this.#pending)).catch(() => undefined);
    this.#pending.clear();
    this.#clear();
  }

  /** Stops committing. */
  abandon(): void {
    this.#pending.clear();
    this.#clear();
  }

  #schedule(inMs: number): void {
    if (this.#timer !== undefined || this.#committing || this.#pending.size === 0) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#committing = this.#commitPending();
      },
      Math.max(0, inMs),
    );
  }

  async #commitPending(): Promise<void> {
    const offsets = new Map(this.#pending);
    try {
      // Always awaits, so that this promise is stored before it is cleared below.
      await (offsets.size > 0 ? this.commit(offsets) : Promise.resolve());
      for (const [partition, next] of offsets) {
        if (this.#pending.get(partition) === next) this.#pending.delete(partition);
      }
      this.#failingSince = undefined;
    } catch (error) {
      this.#failingSince ??= Date.now();
      if (Date.now() - this.#failingSince > this.stuckAfterMs) this.onStuck(error);
    }
    this.#lastAt = Date.now();
    this.#committing = undefined;
    this.#schedule(this.#failingSince === undefined ? this.intervalMs : RETRY_MS);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
