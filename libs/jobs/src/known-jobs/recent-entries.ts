/**
 * A map bounded by weight that evicts the entries not used lately. An entry is kept at least until half of the capacity
 * has been used after it. Halves are evicted at once: to find the oldest entry of a large `Map`, V8 walks past all
 * deleted ones at its front, which takes 30 us with 50,000 entries.
 */
export class RecentEntries<Key, Value> {
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  /** Weight of the young entries. */
  #weight = 0;

  constructor(
    private readonly capacity: number,
    private readonly weightOf: (value: Value) => number = () => 1,
  ) {}

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Entries heavier than half the capacity are not kept. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.weightOf(value);
    const half = this.capacity / 2;
    if (weight > half) return;
    if (this.#weight + weight > half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young === undefined) {
      this.#old.delete(key);
      return;
    }
    this.#young.delete(key);
    this.#weight -= this.weightOf(young);
  }
}
