import { describe, expect, it } from 'vitest';
import { RepeatGuard } from './repeat-guard.js';

describe('a guard against repetitions', () => {
  it('tells the first of a period, and with the next how many there were between', () => {
    let now = 0;
    const guard = new RepeatGuard(1_000, () => now);
    expect([guard.admit('a'), guard.admit('a'), guard.admit('b'), guard.admit('a')]).toEqual([0, null, 0, null]);
    now = 1_000;
    expect([guard.admit('a'), guard.admit('a')]).toEqual([2, null]);
    now = 5_000;
    expect([guard.admit('b'), guard.admit('a')]).toEqual([0, 1]);
  });

  it('remembers a bounded number of kinds', () => {
    const guard = new RepeatGuard(1_000_000, () => 0);
    for (let n = 0; n < 10_000; n += 1) guard.admit(String(n));
    expect(guard.admit('9999')).toBeNull();
    expect(guard.admit('0')).toBe(0);
  });
});
