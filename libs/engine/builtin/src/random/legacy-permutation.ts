import { MersenneTwister } from './mersenne-twister.js';

/** The engine takes seeds modulo this. */
const SEEDS = 2n ** 32n - 1n;

/** The order that numpy's legacy generator gives for `permutation(count)` after `seed(seed % (2**32 - 1))`. */
export function legacyPermutation(seed: bigint, count: number): readonly number[] {
  const twister = new MersenneTwister(Number(seed % SEEDS));
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i -= 1) {
    const j = boundedWord(twister, i);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** A whole number from 0 to `count - 1`, as numpy's legacy `randint(0, count)` after the same seed. */
export function legacyInteger(twister: MersenneTwister, count: number): number {
  return boundedWord(twister, count - 1);
}

export function legacyTwister(seed: bigint): MersenneTwister {
  return new MersenneTwister(Number(seed % SEEDS));
}

/** At most `max`, by throwing away what is too large. */
function boundedWord(twister: MersenneTwister, max: number): number {
  if (max === 0) return 0;
  const mask = 2 ** Math.ceil(Math.log2(max + 1)) - 1;
  for (;;) {
    const value = (twister.next() & mask) >>> 0;
    if (value <= max) return value;
  }
}
