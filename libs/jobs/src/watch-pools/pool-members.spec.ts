import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId, LateLease, WorkerPool } from '@heddle/contracts-messages';
import { evolve, initial } from '@heddle/jobs-domain';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { PoolMembers, RECONNECT_MS } from './pool-members.js';

const SECOND = 1_000;
const START = Date.UTC(2026, 0, 1);
/** Of `submittedJob`. */
const REVISION = 0;

describe('first leases of a pool', () => {
  let members: PoolMembers;
  let late: LateLease[];
  const pool: WorkerPool = { deploymentId: newUuid() as DeploymentId, revision: REVISION };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: START });
    onTestFinished(() => void vi.useRealTimers());
    members = new PoolMembers();
    late = [];
    members.onLateLease((lease) => late.push(lease));
    after(3_600);
  });

  function after(seconds: number): void {
    vi.advanceTimersByTime(seconds * SECOND);
  }

  /** Leases a job now that was queued so many seconds ago. */
  function lease(queuedForS: number): void {
    const queuedAt = new Date(Date.now() - queuedForS * SECOND).toISOString();
    const leasedAt = new Date().toISOString();
    const before = evolve(initial, { event: submittedJob, recordedAt: queuedAt, workerSequence: null });
    const data = { attempt: 1, fence: 1, workerId: 'w', environment: 'e', maxRuntimeMs: 1e6 };
    const event = { type: 'JobLeased' as const, data };
    const leased = evolve(before, { event, recordedAt: leasedAt, workerSequence: null });
    const ids = { jobId: newUuid() as JobId, accountId: newUuid() as AccountId, deploymentId: pool.deploymentId };
    members.onCommitted({ ...ids, before, after: leased, events: [] } satisfies CommittedJob);
  }

  it('are late if the job waited before the worker came, and only once', () => {
    members.join(pool);
    after(2);
    lease(10);
    lease(20);
    expect(late).toEqual([{ ...pool, waitedMs: 10 * SECOND }]);
  });

  it('are not late if a worker was there when the job came', () => {
    members.join(pool);
    after(10);
    lease(9);
    lease(60);
    expect(late).toEqual([]);
  });

  it('are not late if the workers of the pool were away for a moment', () => {
    const leave = members.join(pool);
    after(5);
    leave();
    leave();
    after(RECONNECT_MS / SECOND - 1);
    members.join(pool);
    lease(10);
    expect(late).toEqual([]);
  });

  it('are late again once the pool has been empty for longer', () => {
    const leave = members.join(pool);
    lease(10);
    leave();
    expect(members.pools()).toEqual([]);
    after(RECONNECT_MS / SECOND);
    members.join(pool);
    expect(members.pools()).toEqual([{ ...pool, workers: 1 }]);
    lease(15);
    expect(late.map(({ waitedMs }) => waitedMs)).toEqual([10 * SECOND, 15 * SECOND]);
  });

  it('are not late if the job is older than this process, which does not know of workers before', () => {
    members.join(pool);
    lease(2 * 3_600);
    expect(late).toEqual([]);
  });
});
