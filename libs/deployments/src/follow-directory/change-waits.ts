/** One call that waits for a change. */
interface ChangeWait {
  /** True after a change; false when the time is over or nobody may wait any more. */
  readonly isChanged: Promise<boolean>;
  end(): void;
}

/** Calls that wait for the next change of the directory, each for a limited time. */
export class ChangeWaits {
  readonly #waiting = new Set<(isChanged: boolean) => void>();
  #isClosed = false;

  begin(waitMs: number): ChangeWait {
    if (waitMs === 0 || this.#isClosed) return { isChanged: Promise.resolve(false), end: () => undefined };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => resolve(false), waitMs);
    this.#waiting.add(resolve);
    const end = (): void => {
      clearTimeout(late);
      this.#waiting.delete(resolve);
    };
    return { isChanged: promise, end };
  }

  wake(): void {
    for (const resolve of this.#waiting) resolve(true);
  }

  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#waiting) resolve(false);
  }
}
