import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargedFor, isEnd, movesOn, TASK_STATES } from './task.js';
import type { TaskState } from './task.js';

const state = fc.constantFrom(...TASK_STATES);

describe('the states of a task', () => {
  it('never go back, and end once, whatever is reported in whatever order', () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 30 }), (reports) => {
        let now: TaskState = 'created';
        const ends: TaskState[] = [];
        for (const reported of reports) {
          if (!movesOn(now, reported)) continue;
          expect(isEnd(now)).toBe(false);
          now = reported;
          if (isEnd(now)) ends.push(now);
        }
        expect(ends.length).toBeLessThanOrEqual(1);
        expect(isEnd(now)).toBe(reports.some(isEnd));
      }),
    );
  });

  it('cost in full on success, and nothing on failure', () => {
    expect([chargedFor('success', 174), chargedFor('failed', 174)]).toEqual([174, 0]);
  });
});
