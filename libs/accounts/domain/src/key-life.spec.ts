import { describe, expect, it } from 'vitest';
import { keyLifeProblem, overlapProblem } from './key-life.js';

describe('the life of a key, and the overlap of a rotated one', () => {
  it('is a number of seconds', () => {
    for (const good of [null, 0.5, 86_400]) expect(keyLifeProblem(good)).toBeNull();
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e12, '1'])
      expect(keyLifeProblem(bad)).not.toBeNull();
    expect(overlapProblem(0)).toBeNull();
    for (const bad of [-1, null, Number.NaN, 1e12]) expect(overlapProblem(bad)).not.toBeNull();
  });
});
