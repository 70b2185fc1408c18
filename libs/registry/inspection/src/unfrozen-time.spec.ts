import { afterEach, describe, expect, it, vi } from 'vitest';
import { unfrozenTime } from './unfrozen-time.js';

describe('the clock of an inspection', () => {
  afterEach(() => vi.restoreAllMocks());

  it('goes on with the time, and stands still with the process', () => {
    const now = vi.spyOn(performance, 'now');
    const at = (milliseconds: number): number => {
      now.mockReturnValue(1e9 + milliseconds);
      return unfrozenTime();
    };
    const start = at(0);
    expect(at(300) - start).toBe(300);
    expect(at(1_200) - start).toBe(1_200);
    // A freeze of 20 s counts as one second.
    expect(at(21_200) - start).toBe(2_200);
    expect(at(21_300) - start).toBe(2_300);
  });
});
