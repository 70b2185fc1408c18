interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}

/**
 * A few values of very different weight, bounded by their sum: the one not used for longest leaves first. The newest one
 * stays even if it alone is too heavy.
 */
export class HeavyEntries<Value> {
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<Value>>();
  #weight = 0;

  constructor(private readonly maxWeight: number) {}

  get weight(): number {
    return this.#weight;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight: number): void {
    this.#drop(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.maxWeight || oldest === key) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
