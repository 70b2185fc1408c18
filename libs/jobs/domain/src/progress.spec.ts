import { describe, expect, it } from 'vitest';
import { progressOf } from './job.fixture.js';
import { advanceProgress, completeProgress } from './progress.js';

describe('the shown progress of a job (decisions, Progress)', () => {
  it('is the newer one, and stays without one', () => {
    expect(advanceProgress(null, progressOf(0.2))).toEqual(progressOf(0.2));
    expect(advanceProgress(progressOf(0.2), progressOf(0.3))).toEqual(progressOf(0.3));
    expect(advanceProgress(progressOf(0.2), null)).toEqual(progressOf(0.2));
    expect(advanceProgress(null, null)).toBeNull();
  });

  it('keeps its value and takes the rest if the newer one is behind, as after a lost attempt', () => {
    const newer = { ...progressOf(0.1), nodesDone: 0, currentNode: '7', message: 'again' };
    expect(advanceProgress(progressOf(0.6), newer)).toEqual({ ...newer, value: 0.6 });
  });

  it('is 1 at the success, whatever was reported last', () => {
    expect(completeProgress(progressOf(0.4))).toEqual({ ...progressOf(0.4), value: 1 });
    expect(completeProgress(null)).toBeNull();
    const complete = progressOf(1);
    expect(completeProgress(complete)).toBe(complete);
  });
});
