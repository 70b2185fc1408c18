import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { hasApplied, nothingApplied, wasApplied, withApplied } from './applied-sequences.js';
import type { AppliedSequences } from './applied-sequences.js';

const after = (...sequences: readonly number[]): AppliedSequences => sequences.reduce(withApplied, nothingApplied);

describe('the applied reports of a lease', () => {
  it.each([
    [[], 0, []],
    [[1], 1, []],
    [[1, 2, 3], 3, []],
    [[2], 0, [2]],
    [[3, 2], 0, [2, 3]],
    [[3, 2, 1], 3, []],
    [[1, 3, 5, 2], 3, [5]],
    [[1, 1, 1], 1, []],
    [[4, 4], 0, [4]],
  ])('%j are all through %d, and beyond it %j', (sequences, through, beyond) => {
    expect(after(...sequences)).toEqual({ through, beyond });
  });

  it('keep a hole open for a report that comes late', () => {
    const applied = after(1, 3);
    expect([1, 2, 3, 4].map((sequence) => wasApplied(applied, sequence))).toEqual([true, false, true, false]);
  });

  it('stay the same object if a report comes again', () => {
    const applied = after(1, 3);
    expect(withApplied(applied, 3)).toBe(applied);
    expect(withApplied(applied, 1)).toBe(applied);
  });

  it(`are those of a set, whatever the order (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 }), (sequences) => {
        const applied = after(...sequences);
        const known = new Set(sequences);
        for (let sequence = 1; sequence <= 31; sequence += 1)
          expect(wasApplied(applied, sequence)).toBe(known.has(sequence));
        expect(hasApplied(applied)).toBe(known.size > 0);
        // Dense: what could be counted by its end is not listed.
        expect(applied.beyond).not.toContain(applied.through + 1);
        expect(applied.beyond).toEqual([...applied.beyond].sort((one, other) => one - other));
      }),
      { seed, numRuns: 300 },
    );
  });
});
