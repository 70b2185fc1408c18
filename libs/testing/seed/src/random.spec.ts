import { describe, expect, it } from 'vitest';
import { Random, seeded } from './random.js';

describe('the numbers of a seed', () => {
  it('are those of mulberry32', () => {
    const next = seeded(1);
    expect([next(), next(), next()].map((number) => number * 2 ** 32)).toEqual([2693262067, 11749833, 2265367787]);
  });

  it('are the same for the same seed', () => {
    const [one, two] = [new Random(7), new Random(7)];
    for (let at = 0; at < 100; at += 1) expect(one.below(10)).toBe(two.below(10));
  });

  it('choose below a limit and among items, and each of them', () => {
    const random = new Random(7);
    const chosen = Array.from({ length: 200 }, () => random.below(3));
    expect(new Set(chosen)).toEqual(new Set([0, 1, 2]));
    expect(new Set(Array.from({ length: 200 }, () => random.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
    expect(random.pick([])).toBeUndefined();
  });
});
