import { given } from '@heddle/testing-decisions';
import { describe, expect, it } from 'vitest';
import {
  aCancelingJob,
  aQueuedJob,
  aRunningJob,
  aSucceededJob,
  nothing,
  outputOf,
  progressOf,
  submission,
} from './job.fixture.js';
import { projectJob } from './project-job.js';
import {
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
import type { Outcome } from './job.js';
import type { JobEvent } from './job.events.js';

const MAX_OUTPUTS = 1_000;

const offer = {
  workerId: 'worker-b',
  environment: 'builtin/0.1.0',
  revision: 0,
  maxRuntimeMs: 60_000,
  hasCredentials: false,
};
const expired = (fence: number) => ({
  fence,
  reason: 'expired' as const,
  detail: null,
  progress: progressOf(0.4),
  started: true,
});
const outcome = (value: Outcome, fence = 1, sequence = 9) => ({
  fence,
  sequence,
  outcome: value,
  progress: progressOf(0.9),
});
const node = {
  nodeId: '4',
  classType: 'ImageScale',
  startedAt: '2026-01-01T00:00:01.000Z',
  endedAt: '2026-01-01T00:00:02.000Z',
  cached: false,
};

describe('a job that does not exist', () => {
  it('gets one attempt if it carries credentials: a second run may charge twice', () => {
    given(nothing)
      .when((job) => submitJob(job, { ...submission, hasCredentials: true, maxAttempts: 3 }))
      .then({ type: 'JobSubmitted', data: { ...submission, hasCredentials: true, maxAttempts: 1 } });
  });

  it('begins with its submission', () => {
    const state = given(nothing)
      .when((job) => submitJob(job, submission))
      .then({ type: 'JobSubmitted', data: submission });
    expect(projectJob(state)).toMatchObject({
      status: 'queued',
      version: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-31T00:00:00.000Z',
      startedAt: null,
      queueMs: null,
    });
  });

  it('is not found by a cancel', () => {
    given(nothing).when(requestCancel).thenRejected('not_found');
  });
});

describe('a queued job', () => {
  it('is leased under the next fence and attempt', () => {
    given(aQueuedJob)
      .when((job) => leaseJob(job, offer))
      .then({
        type: 'JobLeased',
        data: { attempt: 1, fence: 1, workerId: 'worker-b', environment: 'builtin/0.1.0', maxRuntimeMs: 60_000 },
      });
  });

  it('fails instead of running without the credentials it came with', () => {
    const state = given(nothing.submitted({ hasCredentials: true, maxAttempts: 1 }))
      .when((job) => leaseJob(job, offer))
      .thenTypes('JobFailed');
    expect(projectJob(state)?.error?.code).toBe('credential_lost');
  });

  it('is canceled at once', () => {
    given(aQueuedJob)
      .when(requestCancel)
      .then({ type: 'JobCanceled', data: { reason: 'requested', progress: null } });
  });

  it('expires when it waited too long', () => {
    given(aQueuedJob)
      .when(expireWaiting)
      .then({ type: 'JobExpired', data: { progress: null } });
  });
});

describe('a running job', () => {
  it('takes the start of its lease without an event, and no other', () => {
    given(aRunningJob)
      .when((job) => reportStart(job, { fence: 1, sequence: 1 }))
      .thenNothing();
    given(aRunningJob.leaseLost().leased(2))
      .when((job) => reportStart(job, { fence: 1, sequence: 1 }))
      .thenRejected('stale_fence');
    given(aRunningJob.leaseLost())
      .when((job) => reportStart(job, { fence: 1, sequence: 1 }))
      .thenRejected('stale_fence');
  });

  it('commits an output once per key', () => {
    const story = aRunningJob.committed('9/0/0', 1);
    given(story)
      .when((job) => commitOutput(job, { fence: 1, sequence: 2 }, outputOf('9/0/0'), MAX_OUTPUTS))
      .thenNothing();
    given(story)
      .when((job) => commitOutput(job, { fence: 1, sequence: 2 }, outputOf('9/0/1'), MAX_OUTPUTS))
      .then({ type: 'OutputCommitted', data: outputOf('9/0/1') });
  });

  it('takes a report that comes again for one that it has', () => {
    given(aRunningJob.committed('9/0/0', 2))
      .when((job) => finishNode(job, { fence: 1, sequence: 2 }, node))
      .thenNothing();
  });

  it('takes a report that was overtaken by a later one', () => {
    given(aRunningJob.committed('9/0/0', 2))
      .when((job) => finishNode(job, { fence: 1, sequence: 1 }, node))
      .then({ type: 'NodeFinished', data: node });
  });

  it('ignores reports of an older fence', () => {
    given(aRunningJob.leaseLost().leased(2))
      .when((job) => commitOutput(job, { fence: 1, sequence: 1 }, outputOf('9/0/0'), MAX_OUTPUTS))
      .thenRejected('stale_fence');
  });

  it('fails with output_limit at one output too many', () => {
    const outputs: readonly JobEvent[] = Array.from({ length: MAX_OUTPUTS }, (_, index) => ({
      type: 'OutputCommitted',
      data: outputOf(`9/0/${index}`),
    }));
    const state = given(aRunningJob.and(...outputs))
      .when((job) => commitOutput(job, { fence: 1, sequence: 5000 }, outputOf('9/1/0'), MAX_OUTPUTS))
      .thenTypes('JobFailed');
    const view = projectJob(state);
    expect([view?.error?.code, view?.outputs.length]).toEqual(['output_limit', MAX_OUTPUTS]);
  });

  it('succeeds with a progress of 1', () => {
    given(aRunningJob)
      .when((job) => reportOutcome(job, outcome({ kind: 'succeeded' })))
      .then({ type: 'JobSucceeded', data: { progress: { ...progressOf(0.9), value: 1 } } });
  });

  it('goes back to the queue when its lease is lost, and keeps its progress and its start', () => {
    const state = given(aRunningJob)
      .when((job) => loseLease(job, expired(1)))
      .thenTypes('LeaseLost');
    expect(projectJob(state)).toMatchObject({
      status: 'queued',
      startedAt: '2026-01-01T00:00:01.000Z',
      progress: { value: 0.4 },
      fence: 1,
    });
  });

  it('fails with worker_lost when its last attempt is lost', () => {
    const state = given(aRunningJob.leaseLost().leased(2).leaseLost().leased(3))
      .when((job) => loseLease(job, expired(3)))
      .thenTypes('JobFailed');
    expect(projectJob(state)?.error?.code).toBe('worker_lost');
  });

  it('keeps its attempt when a draining worker hands it back', () => {
    const state = given(aRunningJob)
      .when((job) => loseLease(job, { ...expired(1), reason: 'handed_back' }))
      .thenTypes('LeaseLost');
    const again = leaseJob(state, offer);
    expect(again.ok && again.events[0]?.data).toMatchObject({ attempt: 1, fence: 2 });
  });

  describe('with credentials', () => {
    const leased = nothing.submitted({ hasCredentials: true, maxAttempts: 1 }).leased();
    const reasons = ['expired', 'handed_back', 'engine_lost'] as const;

    it.each(reasons)('does not run twice once its worker has begun: %s', (reason) => {
      given(leased)
        .when((job) => loseLease(job, { ...expired(1), reason }))
        .thenTypes('JobFailed');
    });

    it.each(reasons)('does not run twice once its worker has reported anything: %s', (reason) => {
      given(leased.committed('9/0/0', 2))
        .when((job) => loseLease(job, { ...expired(1), reason, started: false }))
        .thenTypes('JobFailed');
    });

    it.each(reasons)('keeps its only attempt until then: %s', (reason) => {
      const state = given(leased)
        .when((job) => loseLease(job, { ...expired(1), reason, started: false }))
        .thenTypes('LeaseLost');
      const again = leaseJob(state, { ...offer, hasCredentials: true });
      expect(again.ok && again.events[0]?.data).toMatchObject({ attempt: 1, fence: 2 });
    });

    it('fails with the engine that its worker reports as lost', () => {
      given(leased)
        .when((job) => reportOutcome(job, outcome({ kind: 'lost', reason: 'the engine crashed' })))
        .thenTypes('JobFailed');
    });
  });

  it('loses its attempt with its engine', () => {
    given(aRunningJob)
      .when((job) => reportOutcome(job, outcome({ kind: 'lost', reason: 'the engine crashed' })))
      .thenTypes('LeaseLost');
  });

  it('fails with timeout past the maximum runtime', () => {
    const state = given(aRunningJob)
      .when((job) => endOverrun(job, 1, null))
      .thenTypes('JobFailed');
    expect(projectJob(state)?.error).toMatchObject({
      code: 'timeout',
      message: 'The job ran longer than 3600 s, its maximum runtime.',
    });
  });

  it('is asked to cancel once', () => {
    given(aRunningJob).when(requestCancel).then({ type: 'CancelRequested', data: {} });
    given(aCancelingJob).when(requestCancel).thenNothing();
  });
});

describe('a canceling job', () => {
  it('is canceled when its worker confirms, when it is lost, and when nobody answers', () => {
    given(aCancelingJob)
      .when((job) => reportOutcome(job, outcome({ kind: 'canceled' })))
      .then({ type: 'JobCanceled', data: { reason: 'confirmed', progress: progressOf(0.9) } });
    given(aCancelingJob)
      .when((job) => loseLease(job, expired(1)))
      .then({ type: 'JobCanceled', data: { reason: 'worker_lost', progress: progressOf(0.4) } });
    given(aCancelingJob)
      .when((job) => giveUpOnCancel(job, 1, null))
      .then({ type: 'JobCanceled', data: { reason: 'unanswered', progress: null } });
  });

  it('succeeds when the finish commits first', () => {
    given(aCancelingJob)
      .when((job) => reportOutcome(job, outcome({ kind: 'succeeded' })))
      .thenTypes('JobSucceeded');
  });

  it('still commits outputs', () => {
    given(aCancelingJob)
      .when((job) => commitOutput(job, { fence: 1, sequence: 1 }, outputOf('9/0/0'), MAX_OUTPUTS))
      .thenTypes('OutputCommitted');
  });
});

describe('a job that ended', () => {
  it('never changes', () => {
    given(aSucceededJob).when(requestCancel).thenNothing();
    given(aSucceededJob)
      .when((job) => reportOutcome(job, outcome({ kind: 'canceled' })))
      .thenRejected('stale_fence');
    given(aSucceededJob)
      .when((job) => loseLease(job, expired(1)))
      .thenRejected('stale_fence');
  });

  it('shows how long it waited and ran', () => {
    expect(projectJob(aSucceededJob.state())).toMatchObject({ queueMs: 1000, executionMs: 1000 });
  });

  it('leaves nothing to see once it is purged', () => {
    expect(projectJob(aSucceededJob.and({ type: 'JobPurged', data: {} }).state())).toBeNull();
  });
});
