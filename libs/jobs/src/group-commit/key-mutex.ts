/** One at a time per key, in order of arrival. Holds at most one entry per caller. */
export class KeyMutex {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    let release: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (release = resolve));
    this.#tails.set(key, mine);
    if (before !== undefined) await before;
    try {
      return await work();
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
      release();
    }
  }
}
