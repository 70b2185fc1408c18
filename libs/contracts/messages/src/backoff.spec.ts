import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.js';

describe('a backoff', () => {
  it('doubles with each failure, up to its limit', () => {
    expect([0, 1, 2, 3, 4].map((failures) => backoffMs(failures, 100, 1_000))).toEqual([100, 200, 400, 800, 1_000]);
  });

  it('is a number after any number of failures', () => {
    expect(backoffMs(5_000, 100, 1_000)).toBe(1_000);
    expect(backoffMs(5_000, 0, 1_000)).toBe(0);
  });
});
