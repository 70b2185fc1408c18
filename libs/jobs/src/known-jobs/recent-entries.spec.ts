import { fixedSeed as seed, Random } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { RecentEntries } from './recent-entries.js';

describe('recent entries', () => {
  it(`are never heavier than their capacity, are what was set, and hold what was used last (seed ${seed})`, () => {
    const random = new Random(seed);
    const next = (below: number): number => random.below(below);
    const capacity = 40;
    const entries = new RecentEntries<number, { readonly weight: number }>(capacity, ({ weight }) => weight);
    const set = new Map<number, { readonly weight: number }>();
    let used: number[] = [];
    for (let step = 0; step < 5_000; step++) {
      const key = next(60);
      const how = next(10);
      if (how === 0) {
        entries.delete(key);
        set.delete(key);
        used = used.filter((one) => one !== key);
        continue;
      }
      if (how < 5) set.set(key, { weight: 1 + next(20) });
      const value = set.get(key);
      if (how < 5) entries.set(key, value!);
      else if (entries.get(key) === undefined) continue;
      used = [key, ...used.filter((one) => one !== key)];
      let weight = 0;
      // Entries further back may be evicted already, and do not return when something newer is deleted.
      used = used.filter((one) => (weight += set.get(one)!.weight) <= capacity / 2);
      const probe = used[next(used.length)];
      if (probe === undefined) continue;
      expect(entries.get(probe)).toBe(set.get(probe));
      used = [probe, ...used.filter((one) => one !== probe)];
    }
    const left = [...set].filter(([key]) => entries.get(key) !== undefined);
    expect(left.reduce((sum, [, { weight }]) => sum + weight, 0)).toBeLessThanOrEqual(capacity);
  });

  it('do not keep what is heavier than half of the capacity, nor what it takes the place of', () => {
    const entries = new RecentEntries<string, number>(10, (weight) => weight);
    entries.set('a', 5);
    entries.set('a', 6);
    expect(entries.get('a')).toBeUndefined();
  });
});
