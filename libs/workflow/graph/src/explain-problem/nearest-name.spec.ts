import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NearestName } from './nearest-name.js';

/** The textbook distance, without a band and without shared ends. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1);
    row = next;
  }
  return row[b.length]!;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 12 });

describe('the nearest name', () => {
  it('is the first of those with the fewest edits, of at most four and at most half of the word', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), word, (names, wanted) => {
        const enough = Math.min(4, Math.ceil(wanted.length / 2));
        const edits = names.map((name) => distance(wanted, name));
        const fewest = Math.min(...edits);
        expect(new NearestName(names).of(wanted)).toBe(fewest > enough ? null : names[edits.indexOf(fewest)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ignores letter case', () => {
    expect(new NearestName(['PreviewImage', 'SaveImage']).of('saveimage')).toBe('SaveImage');
  });
});
