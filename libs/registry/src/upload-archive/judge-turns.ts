/** So many archives are judged at once: a hostile one takes a processor for a while. */
const MAX_AT_ONCE = 2;

/** Lets work of all requests of a process begin in its turn. */
export class JudgeTurns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_AT_ONCE) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The next one takes over the place.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
