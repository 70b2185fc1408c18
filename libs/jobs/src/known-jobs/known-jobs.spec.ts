import { describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import { evolve, initial, requestCancel } from '@heddle/jobs-domain';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { KnownJobs } from './known-jobs.js';
import type { KnownJob } from './known-jobs.js';
import { KnownWorkflows } from './known-workflows.js';

const recordedAt = '2026-01-01T00:00:00.000Z';
const ids = { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };
const queued: KnownJob = {
  ...ids,
  state: evolve(initial, { event: submittedJob, recordedAt, workerSequence: null }),
};

describe('known jobs', () => {
  it('evict the least recently used beyond their capacity', () => {
    const known = new KnownJobs(2);
    const [one, two, three] = [newUuid(), newUuid(), newUuid()] as [JobId, JobId, JobId];
    known.put(one, queued);
    known.put(two, queued);
    known.get(one);
    known.put(three, queued);
    expect([one, two, three].map((id) => known.get(id) !== undefined)).toEqual([true, false, true]);
  });

  it('keep the newer state, and none of a job that ended', () => {
    const known = new KnownJobs(2);
    const id = newUuid() as JobId;
    const decision = requestCancel(queued.state);
    const event = decision.ok ? decision.events[0]! : undefined;
    const state = evolve(queued.state, { event: event!, recordedAt, workerSequence: null });
    known.put(id, queued);
    known.put(id, { ...ids, state });
    expect(known.get(id)).toBeUndefined();
  });
});

describe('known workflows', () => {
  it('are bounded by their bytes', () => {
    const known = new KnownWorkflows(12);
    known.put('a', Buffer.alloc(6));
    known.put('b', Buffer.alloc(6));
    known.put('c', Buffer.alloc(7));
    known.put('d', Buffer.alloc(6));
    expect(['a', 'b', 'c', 'd'].map((hash) => known.get(hash)?.length)).toEqual([undefined, 6, undefined, 6]);
  });
});
