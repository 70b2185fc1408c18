/** Commits the offset of each partition; rejects with the broker's own error. */
export type CommitOffsets = (offsets: ReadonlyMap<number, bigint>) => Promise<void>;

const RETRY_MS = 250;

/**
 * Remembers what was handled and tells the broker, one request at a time: the first at once, what is handled meanwhile with the next,
 * after a pause. A failed commit is repeated; `onStuck` hears when that goes on for too long.
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

  /** Everything of the partition below `next` is done. */
  handled(partition: number, next: bigint): void {
    this.#pending.set(partition, next);
    this.#schedule(this.#lastAt + this.intervalMs - Date.now());
  }

  /** The partition belongs to another now: committing for it would set the other back. */
  forget(partition: number): void {
    this.#pending.delete(partition);
  }

  /** Tries once to commit what is left, and commits nothing afterwards. */
  async close(): Promise<void> {
    await this.#committing;
    this.#clear();
    if (this.#pending.size > 0) await this.commit(new Map(this.#pending)).catch(() => undefined);
    this.#pending.clear();
    this.#clear();
  }

  /** Commits nothing any more. */
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
      // Awaits in any case, so that this promise is noted before it is taken back below.
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
