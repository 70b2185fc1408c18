/** mulberry32: numbers in [0, 1), the same ones for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices from the numbers of a seed. */
export class Random {
  /** In [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }
}
