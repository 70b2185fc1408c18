import { loggedEndOf } from '@heddle/contracts-messages';
import { evolve, initial, submitJob } from '@heddle/jobs-domain';
import type { JobEvent, JobState } from '@heddle/jobs-domain';
import { fixedSeed as seed, seeded } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { randomCommand } from '../jobs-under-test/random-jobs.fixture.js';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';

const JOBS = 400;
const COMMANDS = 25;

/**
 * The gateway finds the log of a job by fence and end. So an end that the service decides by itself must have a code that no worker
 * captures a log for: else the log of an attempt that was lost would be shown (accounts, Logs).
 */
describe(`an end with a log (seed ${seed})`, () => {
  it('is one that a worker reported', () => {
    const random = seeded(seed);
    const codes = new Set<string>();
    const check = (event: JobEvent, workerSequence: number | null): void => {
      if (event.type === 'JobSucceeded') expect(workerSequence).not.toBeNull();
      if (event.type !== 'JobFailed') return;
      const { error } = event.data;
      codes.add(`${error.code}${workerSequence === null ? ' of the service' : ''}`);
      if (workerSequence === null) expect(loggedEndOf('failed', error)).toBeNull();
    };
    for (let job = 0; job < JOBS; job++) {
      const first = submitJob(initial, { ...submittedJob.data, hasCredentials: random() < 0.5 });
      let state: JobState = initial;
      const apply = (events: readonly JobEvent[], workerSequence: number | null): void => {
        for (const event of events) {
          state = evolve(state, { event, recordedAt: '2026-01-01T00:00:00.000Z', workerSequence });
          check(event, workerSequence);
        }
      };
      apply(first.ok ? first.events : [], null);
      for (let sequence = 1; sequence <= COMMANDS; sequence++) {
        const { decide, workerSequence } = randomCommand(random, state, sequence);
        const decision = decide(state);
        apply(decision.ok ? decision.events : [], workerSequence);
      }
    }
    const own = ['credential_lost', 'timeout', 'worker_lost'].map((code) => `${code} of the service`);
    expect([...codes]).toEqual(expect.arrayContaining(['engine_error', ...own]));
  });
});
