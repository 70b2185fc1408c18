import { describe, expect, it } from 'vitest';
import { EVERY_EVENT, EVERY_JOB } from './every-job.fixture.js';
import { statusAfter } from './status-after.js';

const jobs = Object.entries(EVERY_JOB).flatMap(([name, story]) => {
  const { status } = story.state();
  return status === 'unsubmitted' || status === 'purged' ? [] : [{ name, story, status }];
});
/** What may follow: a cancel is requested of a running job alone, and only a purge follows an end. */
const EDGES = jobs.flatMap(({ name, story, status }) =>
  EVERY_EVENT.filter(({ event }) => {
    if (event.type === 'CancelRequested') return status === 'running';
    return !['succeeded', 'failed', 'canceled', 'expired'].includes(status) || event.type === 'JobPurged';
  }).map(({ name: event, event: next }) => ({ name, story, status, event, next })),
);

describe('the status after an event', () => {
  it.each(EDGES)('$event of a job that is $name is the status that the fold gives', ({ story, status, next }) => {
    const folded = story.and(next).state().status;
    // A purged job keeps the status of its end.
    expect(statusAfter(next.type, status)).toBe(folded === 'purged' ? status : folded);
  });

  it('stays if the type is of a newer build, or a name that every object has', () => {
    for (const type of ['JobPaused', '', 'constructor', '__proto__', 'toString'])
      for (const { status } of jobs) expect(statusAfter(type, status), type).toBe(status);
  });
});
