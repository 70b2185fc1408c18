import { describe, expect, it } from 'vitest';
import { evolve } from './evolve.js';
import { submission } from './job.fixture.js';
import { initial } from './job.state.js';
import { projectJob } from './project-job.js';

const expiryOf = (retentionMs: number, recordedAt = '2026-01-01T00:00:00.000Z'): string | undefined => {
  const event = { type: 'JobSubmitted', data: { ...submission, retentionMs } } as const;
  return projectJob(evolve(initial, { event, recordedAt, workerSequence: null }))?.expiresAt;
};

describe('the expiry of a job', () => {
  it('is its submission and the retention', () => {
    expect(expiryOf(86_400_000)).toBe('2026-01-02T00:00:00.000Z');
    expect(expiryOf(0.5)).toBe('2026-01-01T00:00:00.000Z');
  });

  it.each([
    [8.64e15, '+275760-09-13T00:00:00.000Z'],
    [1e300, '+275760-09-13T00:00:00.000Z'],
    [Infinity, '+275760-09-13T00:00:00.000Z'],
    [-1e300, '-271821-04-20T00:00:00.000Z'],
  ])('is the nearest instant of a Date for a retention of %d ms', (retentionMs, expiry) => {
    expect(expiryOf(retentionMs)).toBe(expiry);
  });

  it('is the time of the submission where no instant can be computed', () => {
    expect(expiryOf(NaN)).toBe('2026-01-01T00:00:00.000Z');
    expect(expiryOf(1_000, 'infinity')).toBe('infinity');
  });
});
