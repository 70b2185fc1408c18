import { describe, expect, it } from 'vitest';
import { EVERY_EVENT, EVERY_JOB } from './every-job.fixture.js';
import { evolve, fold } from './evolve.js';
import { JOB_EVENT_TYPES } from './job.codec.js';
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

/** As it is recorded: `null` for an event that no worker reported. */
const recorded = (event: (typeof EVERY_EVENT)[number]['event'], workerSequence: number | null) => ({
  event,
  recordedAt: '2026-02-01T00:00:00.000Z',
  workerSequence,
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) frozen(inner);
  return value;
}

const versionOf = (state: ReturnType<typeof evolve>): number =>
  'facts' in state ? state.facts.version : state.version;

describe('the fold of a job', () => {
  const pairs = Object.entries(EVERY_JOB).flatMap(([job, story]) =>
    EVERY_EVENT.flatMap(({ name, event }) => [null, 7].map((sequence) => ({ job, story, name, event, sequence }))),
  );

  it('is tried with every type of event', () => {
    expect(new Set(EVERY_EVENT.map(({ event }) => event.type))).toEqual(new Set(JOB_EVENT_TYPES));
  });

  it('takes every event on every status: it never throws, and counts each as a version', () => {
    for (const { job, story, name, event, sequence } of pairs) {
      const before = story.state();
      const after = evolve(before, recorded(event, sequence));
      // A submission is always the first event.
      const version = event.type === 'JobSubmitted' ? 1 : versionOf(before) + 1;
      expect(versionOf(after), `${name} on ${job}`).toBe(version);
    }
  });

  it('changes neither the state nor the event that it is given', () => {
    for (const { story, event, sequence } of pairs)
      expect(() => evolve(frozen(story.state()), frozen(recorded(event, sequence)))).not.toThrow();
  });

  it('brings no purged job back, and none that was never submitted', () => {
    for (const { story, event, sequence } of pairs) {
      const before = story.state();
      if (event.type === 'JobSubmitted' || (before.status !== 'purged' && before.status !== 'unsubmitted')) continue;
      expect(evolve(before, recorded(event, sequence)).status).toBe(before.status);
    }
  });

  it('goes on from any state: two parts of a log give what the whole gives', () => {
    for (const [job, { recorded: log }] of Object.entries(EVERY_JOB))
      for (let cut = 0; cut <= log.length; cut += 1)
        expect(fold(log.slice(cut), fold(log.slice(0, cut), initial)), job).toEqual(fold(log, initial));
  });
});
