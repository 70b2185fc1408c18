import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobStatus, JobView, LeaseState, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  leased,
  leaseRequest,
  dropConsistent,
  openDatabase,
  openJobs,
  progressOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const settings = { sweepIntervalMs: 20, retryDelayMs: 0 };

describe('deadlines', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, settings);
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  const reaches = async (me: Principal, { id }: Pick<JobView, 'id'>, status: JobStatus): Promise<JobView> =>
    await until(async () => {
      const view = valueOf(await one.jobs.get(me, id));
      return view.status === status && view;
    }, `the job being ${status}`);

  it('give a job of a lost worker to another one, with its progress and its first start', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    await one.leases.ingest([reportOf(lease, 1, { kind: 'progress', progress: progressOf(0.6) })]);
    const { startedAt } = await reaches(me, job, 'running');
    const heard: LeaseState[] = [];
    const unwatch = one.leases.watch('worker-a', (state) => heard.push(state));
    await db.advanceClock(31_000);
    const second = await leased(one, me, 'worker-b');
    expect(second).toMatchObject({ jobId: job.id, attempt: 2, fence: 2, progressFloor: 0.6 });
    expect(heard).toEqual([{ jobId: job.id, fence: 1, state: 'lost' }]);
    unwatch();
    expect(await reaches(me, job, 'running')).toMatchObject({ startedAt, progress: { value: 0.6 } });
    await one.leases.ingest([reportOf(second, 1, succeeded, 'worker-b')]);
    await reaches(me, job, 'succeeded');
  });

  it('fail a job with worker_lost after its last attempt, without holding up others', async () => {
    const me = someAccount();
    const poison = await submitted(one, me);
    const other = await submitted(one, me);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const lease = await leased(one, me, `worker-${attempt}`);
      expect([lease.jobId, lease.attempt]).toEqual([poison.id, attempt]);
      await db.advanceClock(31_000);
      await reaches(me, poison, attempt === 3 ? 'failed' : 'queued');
      // The minimum interval between looks at the queue; nothing else delays the next attempt here.
      await delay(120);
    }
    expect((await reaches(me, poison, 'failed')).error).toMatchObject({ code: 'worker_lost' });
    expect((await leased(one, me)).jobId).toBe(other.id);
  });

  it('end an attempt that overruns, though its worker still holds the lease', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    await one.leases.ingest([reportOf(lease, 1, { kind: 'progress', progress: progressOf(0.5) })]);
    await db.owner.query(`update jobs.queue set lease_until = 'infinity' where job_id = $1`, [job.id]);
    await db.advanceClock(3_600_000);
    const view = await reaches(me, job, 'failed');
    expect(view).toMatchObject({ error: { code: 'timeout' }, progress: { value: 0.5 } });
    expect(await one.leases.heartbeat('worker-a', [lease])).toMatchObject([{ state: 'lost' }]);
  });

  it('cancel a job whose worker does not answer', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    await leased(one, me);
    await one.jobs.cancel(me, job.id);
    await db.owner.query(`update jobs.queue set lease_until = 'infinity' where job_id = $1`, [job.id]);
    await db.advanceClock(30_000);
    expect(valueOf(await one.jobs.get(me, job.id)).status).toBe('canceling');
    await db.advanceClock(31_000);
    await reaches(me, job, 'canceled');
  });

  it('cancel a canceling job whose worker is lost', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    await leased(one, me);
    await one.jobs.cancel(me, job.id);
    await db.advanceClock(31_000);
    await reaches(me, job, 'canceled');
  });

  it('expire a job that waited too long', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    await db.advanceClock(86_401_000);
    expect(await reaches(me, job, 'expired')).toMatchObject({ startedAt: null, queuePosition: null });
    const request = leaseRequest(me, 'worker-a', { waitMs: 30 });
    expect(await one.leases.acquire(request, new AbortController().signal)).toEqual([]);
  });

  it('are enforced once by several processes', async () => {
    const me = someAccount();
    const rivals = await Promise.all([openJobs(db, settings), openJobs(db, settings)]);
    const jobs = await Promise.all(Array.from({ length: 30 }, async () => await submitted(one, me)));
    const request = leaseRequest(me, 'worker-a', { slots: 30 });
    const leases = await one.leases.acquire(request, new AbortController().signal);
    expect(leases).toHaveLength(30);
    await db.advanceClock(31_000);
    await Promise.all(jobs.map(async (job) => await reaches(me, job, 'queued')));
    const { rows } = await db.owner.query(
      `select count(*)::int as events, count(distinct stream_id)::int as jobs from jobs.event
       where type = 'LeaseLost' and account_id = $1`,
      [me.accountId],
    );
    expect(rows).toEqual([{ events: 30, jobs: 30 }]);
    const depth = await db.owner.query('select waiting, running from jobs.queue_depth where account_id = $1', [
      me.accountId,
    ]);
    expect(depth.rows).toEqual([{ waiting: 30, running: 0 }]);
    await Promise.all(rivals.map(async (rival) => await rival.close()));
  });
});
