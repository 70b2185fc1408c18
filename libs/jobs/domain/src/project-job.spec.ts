import { describe, expect, it } from 'vitest';
import { EVERY_JOB } from './every-job.fixture.js';
import { aQueuedJob, aRunningJob, outputOf, progressOf } from './job.fixture.js';
import { millisecondsBetween, projectJob } from './project-job.js';

describe('a job as readers see it', () => {
  it('has its status, and a time of completion once it has ended', () => {
    const seen = Object.entries(EVERY_JOB).map(([name, story]) => {
      const view = projectJob(story.state());
      return [name, view === null ? null : `${view.status}${view.completedAt === null ? '' : ', completed'}`];
    });
    expect(Object.fromEntries(seen)).toEqual({
      unsubmitted: null,
      queued: 'queued',
      running: 'running',
      'running again': 'running',
      canceling: 'canceling',
      succeeded: 'succeeded, completed',
      failed: 'failed, completed',
      canceled: 'canceled, completed',
      expired: 'expired, completed',
      purged: null,
    });
  });

  it('has an error only if it failed', () => {
    for (const [name, story] of Object.entries(EVERY_JOB))
      expect(projectJob(story.state())?.error != null, name).toBe(name === 'failed');
  });

  it('waited until its first lease, however often it was leased', () => {
    const again = aRunningJob.leaseLost().leased(2);
    expect(projectJob(again.state())).toMatchObject({
      queueMs: 1_000,
      startedAt: '2026-01-01T00:00:01.000Z',
      fence: 2,
    });
    // Submitted at second 0, leased at 1, lost at 2, leased at 3, ended at 4.
    expect(projectJob(again.succeeded().state())).toMatchObject({ queueMs: 1_000, executionMs: 3_000 });
  });

  it('neither waited nor ran if it ended in the queue', () => {
    for (const name of ['canceled', 'expired'] as const)
      expect(projectJob(EVERY_JOB[name].state())).toMatchObject({ startedAt: null, queueMs: null, executionMs: null });
  });

  it('has its outputs in the order of their commits, also those of a lost attempt', () => {
    const story = aRunningJob.committed('9/0/1', 1).leaseLost().leased(2).committed('9/0/0', 1);
    expect(projectJob(story.state())?.outputs).toEqual([outputOf('9/0/1'), outputOf('9/0/0')]);
  });

  it('keeps the progress of a lost attempt until a newer one is recorded', () => {
    const lost = aRunningJob.leaseLost(true, progressOf(0.6));
    expect(projectJob(lost.state())?.progress).toEqual(progressOf(0.6));
    expect(projectJob(lost.leased(2).succeeded(progressOf(1)).state())?.progress).toEqual(progressOf(1));
  });

  it('counts a version for each event, and shows the time of the last one', () => {
    const story = aQueuedJob.leased().committed('9/0/0', 1);
    expect(projectJob(story.state())).toMatchObject({ version: 3, updatedAt: '2026-01-01T00:00:02.000Z' });
  });
});

describe('the milliseconds between two times', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.250Z', 250],
    ['2026-01-01T00:00:00.250Z', '2026-01-01T00:00:00.000Z', 0],
    [null, '2026-01-01T00:00:00.000Z', null],
    ['2026-01-01T00:00:00.000Z', null, null],
  ])('%s and %s are %s', (from, to, between) => {
    expect(millisecondsBetween(from, to)).toBe(between);
  });
});
