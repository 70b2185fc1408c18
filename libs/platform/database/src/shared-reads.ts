const MAX_BATCH = 500;
/** A flood of reads leaves connections for everything else. */
const MAX_STATEMENTS = 2;

interface Asked<Row> {
  readonly promise: Promise<Row | undefined>;
  readonly settle: (row: Row | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Reads rows by key. Calls that come while two statements are under way share the next one, and those with the same key
 * its answer. As many keys wait as there are calls that wait: their caller bounds them.
 */
export class SharedReads<Row> {
  readonly #waiting = new Map<string, Asked<Row>>();
  readonly #sent = new Map<string, Asked<Row> & { readonly version: number }>();
  #statements = 0;

  /**
   * `read`: one statement; keys without a row are missing in its answer. `version`: a call also takes the answer of a
   * statement that was sent for its key under the same version. Without it, every answer was read after its call.
   */
  constructor(
    private readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
    // Not a number: no version equals it.
    private readonly version: () => number = () => Number.NaN,
  ) {}

  /** Resolves with undefined if no row has this key. */
  find(key: string): Promise<Row | undefined> {
    const sent = this.#sent.get(key);
    const shared = this.#waiting.get(key) ?? (sent?.version === this.version() ? sent : undefined);
    if (shared !== undefined) return shared.promise;
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<Row | undefined>();
    this.#waiting.set(key, { promise, settle, fail });
    this.#sendNext();
    return promise;
  }

  #sendNext(): void {
    if (this.#statements >= MAX_STATEMENTS || this.#waiting.size === 0) return;
    const batch: (readonly [string, Asked<Row>])[] = [];
    for (const [key, asked] of this.#waiting) {
      this.#waiting.delete(key);
      this.#sent.set(key, { ...asked, version: this.version() });
      if (batch.push([key, asked]) === MAX_BATCH) break;
    }
    this.#statements += 1;
    void this.#answer(batch).finally(() => {
      this.#statements -= 1;
      for (const [key, { promise }] of batch) if (this.#sent.get(key)?.promise === promise) this.#sent.delete(key);
      this.#sendNext();
    });
  }

  async #answer(batch: readonly (readonly [string, Asked<Row>])[]): Promise<void> {
    try {
      const rows = await this.read(batch.map(([key]) => key));
      for (const [key, { settle }] of batch) settle(rows.get(key));
    } catch (error) {
      for (const [, { fail }] of batch) fail(error);
    }
  }
}
