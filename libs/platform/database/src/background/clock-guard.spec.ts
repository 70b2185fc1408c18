import { describe, expect, it } from 'vitest';
import { ClockGuard } from './clock-guard.js';
import type { ClockReading, ClockVerdict } from './clock-guard.js';

const TOLERANCE_MS = 300_000;
const DAY_MS = 86_400_000;
const at = (processMs: number, aheadMs = 0): ClockReading => ({
  askedMs: processMs,
  processMs,
  databaseMs: 5_000_000_000 + processMs + aheadMs,
});

/** Judges in turn, and trusts what may be trusted. */
function verdictsOf(...readings: readonly ClockReading[]): ClockVerdict[] {
  const guard = new ClockGuard(TOLERANCE_MS);
  return readings.map((reading) => {
    const verdict = guard.judge(reading);
    if (['right', 'returned', 'stayed'].includes(verdict)) guard.trust(reading);
    return verdict;
  });
}

describe('a clock guard', () => {
  it('trusts a database clock that moves with the local one', () => {
    expect(verdictsOf(at(0), at(3_600_000, 1_000))).toEqual(['right', 'right']);
  });

  it.each([8 * DAY_MS, -8 * DAY_MS, 300_001, -300_001])('doubts a jump of %d ms until it is undone', (jumpMs) => {
    const looks = [at(0), at(1, jumpMs), at(5_000, jumpMs), at(10_000, jumpMs), at(15_000), at(20_000)];
    expect(verdictsOf(...looks)).toEqual(['right', 'jumped', 'off', 'off', 'returned', 'right']);
  });

  it('trusts a clock again that stays where it is for the whole tolerance', () => {
    const looks = [at(0), at(1, DAY_MS), at(TOLERANCE_MS, DAY_MS), at(TOLERANCE_MS + 2, DAY_MS)];
    expect(verdictsOf(...looks)).toEqual(['right', 'jumped', 'off', 'stayed']);
  });

  it('does not take the answer of a question from before the jump for a return', () => {
    expect(verdictsOf(at(0), at(10, DAY_MS), { ...at(12), askedMs: 9 })).toEqual(['right', 'jumped', 'outdated']);
  });

  it('knows at the start only that a clock is behind what has been', () => {
    expect(new ClockGuard(TOLERANCE_MS).judge(at(0), at(0).databaseMs + DAY_MS)).toBe('jumped');
    expect(new ClockGuard(TOLERANCE_MS).judge(at(0), at(0).databaseMs - DAY_MS)).toBe('right');
  });

  it('says how far the clock is off, and how far it may go before statements distrust it', () => {
    const guard = new ClockGuard(TOLERANCE_MS);
    expect(guard.trustedUntilMs).toBe(-Infinity);
    guard.trust(at(0));
    guard.judge(at(1, DAY_MS));
    expect([guard.offMs, guard.trustedUntilMs]).toEqual([DAY_MS, at(0).databaseMs + TOLERANCE_MS]);
  });
});
