import { describe, expect, it } from 'vitest';
import { ClockGuard } from './clock-guard.js';

describe('a clock guard', () => {
  it('accepts a database clock that moves with the local one', () => {
    const guard = new ClockGuard();
    expect(guard.accepts(1_000_000, 0)).toBe(true);
    expect(guard.accepts(1_000_000 + 3_600_000, 3_599_000)).toBe(true);
  });

  it('doubts a jump of more than five minutes in either direction, once', () => {
    for (const jump of [300_001, -300_001]) {
      const guard = new ClockGuard();
      guard.accepts(5_000_000, 0);
      expect(guard.accepts(5_000_000 + jump, 0)).toBe(false);
      expect(guard.accepts(5_000_000 + jump, 0)).toBe(true);
    }
  });
});
