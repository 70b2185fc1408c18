import { describe, expect, it } from 'vitest';
import { limitProblem } from './account-limits.js';

describe('a limit of an account', () => {
  it('is a number in its range, or null', () => {
    for (const good of [null, 0, 7, 1_000_000_000]) expect(limitProblem('queueDepth', good)).toBeNull();
    for (const bad of [-1, 1.5, 1e10, Number.NaN, Number.POSITIVE_INFINITY, '7', undefined, {}])
      expect(limitProblem('running', bad)).toContain('must be a whole number from 0');
    expect(limitProblem('readRate', 0.5)).toBeNull();
    expect(limitProblem('storageBytes', 2 ** 53)).not.toBeNull();
  });
});
