import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '@heddle/contracts-messages';
import type { JobLease, JobStatus, JobView, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  leaseRequest,
  leased,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submitted,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { AttemptStarts } from './attempt-starts.js';

describe('the only attempt of a job with credentials', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { sweepIntervalMs: 20, retryDelayMs: 0 });
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  async function running(me: Principal): Promise<JobLease> {
    await submitted(one, me, { credentials: { apiKey: new Secret('key') } });
    return await leased(one, me);
  }
  const reaches = async (me: Principal, { jobId }: JobLease, status: JobStatus): Promise<JobView> =>
    await until(async () => {
      const view = valueOf(await one.jobs.get(me, jobId));
      return view.status === status && view;
    }, `the job being ${status}`);
  /** As its worker would report it. */
  const start = async (lease: JobLease, workerId = 'worker-a'): Promise<boolean> => {
    const [verdict] = await one.leases.ingest([reportOf(lease, 1, { kind: 'started' }, workerId)]);
    return verdict === 'stored';
  };

  it('is not spent by a lease whose answer never reached a worker', async () => {
    const me = someAccount();
    const lost = await running(me);
    await db.advanceClock(31_000);
    await reaches(me, lost, 'queued');
    const again = await leased(one, me, 'worker-b');
    expect(again).toMatchObject({ jobId: lost.jobId, attempt: 1, fence: lost.fence + 1 });
    expect(again.credentials?.apiKey?.reveal()).toBe('key');
    await one.leases.handBack('worker-b', again);
    await reaches(me, lost, 'queued');
  });

  it('is not spent by a worker that drains before it began', async () => {
    const me = someAccount();
    const lease = await running(me);
    await one.leases.handBack('worker-a', lease);
    expect(await leased(one, me, 'worker-b')).toMatchObject({ jobId: lease.jobId, attempt: 1 });
  });

  it.each(['lost', 'handed back'])('is spent once its worker has begun, when the lease is %s', async (how) => {
    const me = someAccount();
    const lease = await running(me);
    expect(await start(lease)).toBe(true);
    expect(await start(lease)).toBe(true);
    if (how === 'lost') await db.advanceClock(31_000);
    else await one.leases.handBack('worker-a', lease);
    expect((await reaches(me, lease, 'failed')).error).toMatchObject({ code: 'worker_lost' });
  });

  it('is spent by any report that is in the log', async () => {
    const me = someAccount();
    const lease = await running(me);
    await one.leases.ingest([reportOf(lease, 1, { kind: 'output_committed', output: outputOf('9/0/0') })]);
    await one.leases.handBack('worker-a', lease);
    expect((await reaches(me, lease, 'failed')).error).toMatchObject({ code: 'worker_lost' });
  });

  it('does not begin for another worker, an older fence or a lease that is condemned', async () => {
    const me = someAccount();
    const first = await running(me);
    expect(await start(first, 'worker-b')).toBe(false);
    await one.leases.handBack('worker-a', first);
    expect(await start(first)).toBe(false);
    const next = await leased(one, me);
    expect(await start({ ...next, fence: first.fence })).toBe(false);
    const calm = await openJobs(db, { sweepIntervalMs: 3_600_000, leaseMs: 3_600_000 });
    await db.owner.query(`update jobs.queue set lease_until = '-infinity' where job_id = $1`, [next.jobId]);
    expect(await calm.get(AttemptStarts).markStarted(next, { ...leaseRequest(me), revision: 0 })).toBe(false);
    await calm.close();
    await reaches(me, next, 'queued');
  });

  it('counts for every replica, and where nobody knows', async () => {
    const me = someAccount();
    const lease = await running(me);
    const other = await openJobs(db);
    expect(await other.get(AttemptStarts).isStarted(lease)).toBe(false);
    await start(lease);
    expect(await other.get(AttemptStarts).isStarted(lease)).toBe(true);
    expect(await other.get(AttemptStarts).isStarted({ ...lease, fence: 9 })).toBe(true);
    await other.close();
  });
});
