import { describe, expect, it } from 'vitest';
import { EVERY_JOB } from './every-job.fixture.js';
import type { LeaseLossReason } from './job.events.js';
import { outputOf, progressOf, submission } from './job.fixture.js';
import {
  captureLog,
  commitOutput,
  endOverrun,
  expireWaiting,
  finishNode,
  giveUpOnCancel,
  leaseJob,
  loseLease,
  reportOutcome,
  reportStart,
  requestCancel,
  submitJob,
} from './job.js';
import type { JobDecision, JobRejection, Outcome } from './job.js';
import type { JobState } from './job.state.js';

type Decide = (job: JobState) => JobDecision;

const offer = { workerId: 'w', environment: 'e', revision: 0, maxRuntimeMs: 1_000, hasCredentials: false };
const node = { nodeId: '1', classType: 'X', startedAt: '', endedAt: '', cached: true };
const failure = { code: 'engine_error', message: 'x', nodeId: null, classType: null, traceback: null } as const;
const REASONS: readonly LeaseLossReason[] = ['expired', 'engine_lost', 'handed_back'];
const OUTCOMES: readonly Outcome[] = [
  { kind: 'succeeded' },
  { kind: 'canceled' },
  { kind: 'lost', reason: 'x' },
  { kind: 'failed', ...failure, nodeRun: null },
];

/** Commands of a worker or of a clock, under the fence that they name. */
const underFence = (fence: number): Readonly<Record<string, Decide>> => {
  const report = { fence, sequence: 5 };
  const progress = progressOf(0.5);
  return {
    finishNode: (job) => finishNode(job, report, node),
    commitOutput: (job) => commitOutput(job, report, outputOf('1/0/0'), 10),
    'commitOutput, one too many': (job) => commitOutput(job, report, outputOf('1/0/0'), 0),
    captureLog: (job) => captureLog(job, report, { sizeBytes: 1, truncated: false }),
    endOverrun: (job) => endOverrun(job, fence, progress),
    giveUpOnCancel: (job) => giveUpOnCancel(job, fence, progress),
    ...Object.fromEntries(
      OUTCOMES.map((outcome) => [
        `reportOutcome ${outcome.kind}`,
        (job: JobState) => reportOutcome(job, { ...report, outcome, progress }),
      ]),
    ),
    ...Object.fromEntries(
      REASONS.map((reason) => [
        `loseLease ${reason}`,
        (job: JobState) => loseLease(job, { fence, reason, detail: null, progress, started: true }),
      ]),
    ),
  };
};
const COMMANDS: Readonly<Record<string, Decide>> = {
  submitJob: (job) => submitJob(job, submission),
  leaseJob: (job) => leaseJob(job, offer),
  'leaseJob, other revision': (job) => leaseJob(job, { ...offer, revision: 2 }),
  requestCancel,
  expireWaiting,
  reportStart: (job) => reportStart(job, { fence: 1, sequence: 5 }),
  ...underFence(1),
};
const cells = Object.keys(EVERY_JOB).flatMap((job) => Object.keys(COMMANDS).map((command) => ({ job, command })));
const storyOf = (job: string) => EVERY_JOB[job as keyof typeof EVERY_JOB];
const eventsOf = (decision: JobDecision): readonly unknown[] => (decision.ok ? decision.events : []);

describe('every command on every job', () => {
  it('that comes again adds nothing', () => {
    for (const { job, command } of cells) {
      const story = storyOf(job);
      const decision = COMMANDS[command]!(story.state());
      // Under the sequence of the report, as the handlers record it.
      const after =
        eventsOf(decision).length === 0 ? story : story.reported(5, ...(decision.ok ? decision.events : []));
      expect(eventsOf(COMMANDS[command]!(after.state())), `${command} on ${job}`).toEqual([]);
    }
  });

  it('decides the same for the same state', () => {
    for (const { job, command } of cells)
      expect(COMMANDS[command]!(storyOf(job).state())).toEqual(COMMANDS[command]!(storyOf(job).state()));
  });

  it('adds one event at most, so that a version is a command', () => {
    for (const { job, command } of cells)
      expect(eventsOf(COMMANDS[command]!(storyOf(job).state())).length, `${command} on ${job}`).toBeLessThanOrEqual(1);
  });

  it('reaches each rejection, and no other', () => {
    const known: Readonly<Record<JobRejection, true>> = {
      job_exists: true,
      not_found: true,
      not_queued: true,
      other_revision: true,
      not_canceling: true,
      stale_fence: true,
    };
    const decisions = cells.map(({ job, command }) => COMMANDS[command]!(storyOf(job).state()));
    const rejections = decisions.flatMap((decision) => (decision.ok ? [] : [decision.rejection]));
    expect(new Set(rejections)).toEqual(new Set(Object.keys(known)));
  });

  it('under any fence but the live one is rejected (I8)', () => {
    for (const [job, story] of Object.entries(EVERY_JOB)) {
      const state = story.state();
      const live = 'facts' in state ? state.facts.fence : 0;
      for (const fence of [-1, 0, 1, 2, 3].filter((one) => one !== live))
        for (const [command, decide] of Object.entries(underFence(fence)))
          expect(decide(state).ok, `${command} under ${fence} on ${job}`).toBe(false);
    }
  });
});
