import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CandidatesAhead } from './candidates-ahead.js';
import type { Candidate } from './candidates-ahead.js';

const candidate = (jobId: string, accountId = 'alice'): Candidate => ({
  jobId: jobId as JobId,
  deploymentId: 'here' as DeploymentId,
  accountId: accountId as AccountId,
});

describe('candidates that a look at the queue showed ahead', () => {
  let ahead: CandidatesAhead;
  const next = (most: number, wanted = 'all'): string[] => ahead.take(most, wanted).map(({ jobId }) => jobId);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    ahead = new CandidatesAhead();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are taken once, in their order', () => {
    ahead.keep([candidate('1'), candidate('2'), candidate('3')], 'all');
    expect(next(2)).toEqual(['1', '2']);
    expect(next(2)).toEqual(['3']);
    expect(next(2)).toEqual([]);
  });

  it('are worth nothing to a worker of other deployments', () => {
    ahead.keep([candidate('1')], 'all');
    expect(next(1, 'here')).toEqual([]);
    expect(next(1)).toEqual([]);
  });

  it('are worth nothing after a tenth of a second', () => {
    ahead.keep([candidate('1'), candidate('2')], 'all');
    vi.advanceTimersByTime(100);
    expect(next(1)).toEqual(['1']);
    vi.advanceTimersByTime(1);
    expect(next(1)).toEqual([]);
  });

  it.each([
    ['stay where the only account with a place submits one more', [candidate('1')], ['1']],
    ['go where another account submits', [candidate('1', 'bob')], []],
    ['go where one of several accounts submits', [candidate('1'), candidate('2', 'bob')], []],
  ])('%s', (_, kept, left) => {
    ahead.keep(kept, 'all');
    ahead.arrived('alice' as AccountId);
    expect(next(2)).toEqual(left);
  });
});
