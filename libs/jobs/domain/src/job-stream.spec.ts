import { describe, expect, it } from 'vitest';
import { EVERY_JOB } from './every-job.fixture.js';
import { canonicalJobEvent, encodeJobEvent, schemaVersionOfJobEvent } from './job.codec.js';
import { JobStream } from './job-stream.js';
import type { StoredJobEvent, StreamFault } from './job-stream.js';
import { aQueuedJob, aRunningJob, aSucceededJob } from './job.fixture.js';
import type { JobStory } from './job.fixture.js';

const PURGED: StoredJobEvent = stored(EVERY_JOB.purged).at(-1)!;

function stored(story: JobStory): StoredJobEvent[] {
  return story.recorded.map(({ event, recordedAt, workerSequence }, at) => {
    const canonical = canonicalJobEvent(event);
    const data = encodeJobEvent(canonical);
    const schemaVersion = schemaVersionOfJobEvent(canonical);
    return { version: at + 1, type: event.type, schemaVersion, workerSequence, recordedAt, data };
  });
}

function read(events: readonly StoredJobEvent[]): { stream: JobStream; faults: (StreamFault | null)[] } {
  const stream = new JobStream();
  return { stream, faults: events.map((event) => stream.take(event)) };
}

/** The log of a succeeded job with one event changed. */
function withChanged(at: number, changes: Partial<StoredJobEvent>): StoredJobEvent[] {
  return stored(aSucceededJob).map((event, index) => (index === at ? { ...event, ...changes } : event));
}

describe('the stored events of a job', () => {
  it.each(Object.entries(EVERY_JOB))('give the state of a job that is %s', (_, story) => {
    const { stream, faults } = read(stored(story));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
    expect(stream.state).toEqual(story.state());
    expect(stream.version).toBe(story.recorded.length);
  });

  it('have the outcome of what can be seen of the job', () => {
    expect(read(stored(aRunningJob)).stream.outcome()).toEqual({ is: 'visible', state: aRunningJob.state() });
    expect(read(stored(EVERY_JOB.purged)).stream.outcome()).toEqual({ is: 'purged' });
    expect(read([]).stream.outcome()).toEqual({ is: 'purged' });
  });

  it('leave a purged job the status of its end', () => {
    expect(read(stored(aSucceededJob)).stream.status).toBe('succeeded');
    expect(read(stored(EVERY_JOB.purged)).stream.status).toBe('succeeded');
    expect(read([]).stream.status).toBeNull();
  });
});

describe('a stored event that no job can have', () => {
  it.each([
    ['a gap', withChanged(1, { version: 3 }), 'the event follows version 1 of its job'],
    ['the same version twice', withChanged(1, { version: 1 }), 'the event follows version 1 of its job'],
    [
      'no submission first',
      stored(aSucceededJob)
        .slice(1)
        .map((event, at) => ({ ...event, version: at + 1 })),
      'JobLeased cannot be version 1 of a job that is unsubmitted',
    ],
    [
      'a second submission',
      [...stored(aQueuedJob), { ...stored(aQueuedJob)[0]!, version: 2 }],
      'JobSubmitted cannot be version 2 of a job that is queued',
    ],
    [
      'an event behind the end',
      [...stored(aSucceededJob), { ...stored(aRunningJob)[1]!, version: 4 }],
      'JobLeased cannot be version 4 of a job that is succeeded',
    ],
    [
      'an event behind the purge',
      [...stored(EVERY_JOB.purged), { ...PURGED, version: 5 }],
      'JobPurged cannot be version 5 of a job that is purged',
    ],
  ])('is a fault of the fold: %s', (_, events, message) => {
    expect(read(events).faults.filter((fault) => fault !== null)).toEqual([{ fault: 'fold', message }]);
  });

  it.each([
    ['a type of a newer build', { type: 'JobPaused' }, 'this build cannot read JobPaused of schema version 1'],
    ['a version of a newer build', { schemaVersion: 9 }, 'this build cannot read JobLeased of schema version 9'],
    ['a payload that is no JSON', { data: '{' }, 'JobLeased'],
    ['a payload of another shape', { data: '{}' }, 'JobLeased'],
  ])('is undecodable: %s', (_, changes, message) => {
    const faults = read(withChanged(1, changes)).faults;
    expect(faults).toEqual([null, { fault: 'undecodable', message: expect.stringContaining(message) as string }, null]);
  });

  it('is told once, and makes the rest of its job unknown', () => {
    const events = [...withChanged(1, { data: '{}' }), { ...PURGED, version: 9 }];
    const { stream, faults } = read(events);
    expect(faults.filter((fault) => fault !== null)).toHaveLength(1);
    expect(stream.outcome()).toEqual({ is: 'unknown' });
    expect(stream.status).toBeNull();
  });
});

describe('an event whose payload was removed', () => {
  it('is explained by a purge alone', () => {
    expect(read(withChanged(1, { data: null })).stream.outcome()).toEqual({ is: 'redacted' });
    const purged = [...withChanged(1, { data: null }), PURGED];
    expect(read(purged).stream.outcome()).toEqual({ is: 'purged' });
  });

  it('leaves order and types to be judged', () => {
    expect(read(withChanged(1, { data: null })).faults).toEqual([null, null, null]);
    expect(read(withChanged(1, { data: null, version: 4 })).faults[1]).toMatchObject({ fault: 'fold' });
    expect(read(withChanged(1, { data: null, type: 'JobPaused' })).faults[1]).toMatchObject({ fault: 'undecodable' });
    expect(read(withChanged(1, { data: null })).stream.status).toBeNull();
  });
});
