import { evolve, initial, JOB_EVENT_TYPES, submitJob } from '@heddle/jobs-domain';
import type { JobEvent, JobEventType, JobState } from '@heddle/jobs-domain';
import { fixedSeed as seed, seeded } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { randomCommand } from '../jobs-under-test/random-jobs.fixture.js';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { detachedStatus } from './detached-status.js';

describe(`the status after an event of which only the type is left (seed ${seed})`, () => {
  it('is the one of the fold, except of reports to a canceling job and of a purge', () => {
    const random = seeded(seed);
    const seen = new Set<JobEventType>();
    const check = (event: JobEvent, after: JobState): void => {
      seen.add(event.type);
      const known = detachedStatus(event.type);
      if (after.status === 'purged') expect(known).toBe('expired');
      else if (after.status === 'canceling') expect(['running', 'canceling']).toContain(known);
      else expect(known).toBe(after.status);
    };
    for (let job = 0; job < 500; job += 1) {
      let state: JobState = initial;
      const apply = (events: readonly JobEvent[], workerSequence: number | null): void => {
        for (const event of events) {
          state = evolve(state, { event, recordedAt: '2026-01-01T00:00:00.000Z', workerSequence });
          check(event, state);
        }
      };
      const first = submitJob(state, submittedJob.data);
      apply(first.ok ? first.events : [], null);
      for (let sequence = 1; sequence <= 25; sequence += 1) {
        const { decide, workerSequence } = randomCommand(random, state, sequence);
        const decision = decide(state);
        apply(decision.ok ? decision.events : [], workerSequence);
      }
    }
    expect([...seen].sort()).toEqual([...JOB_EVENT_TYPES].sort());
    expect(detachedStatus('JobNoted')).toBeNull();
  });
});
