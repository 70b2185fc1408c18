import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOB_LIMITS_PORT, newUuid, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type {
  AccountJobLimits,
  DeploymentId,
  DeploymentLimits,
  JobLimitsPort,
  Principal,
  WorkerPoolsPort,
} from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { creditsOf, entriesOf, priced } from '../jobs-under-test/credits.fixture.js';
import {
  codeOf,
  dropConsistent,
  leased,
  leaseRequest,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submissionOf,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const NO_LIMITS = { queueDepth: null, maxRuntimeS: null, jobRetentionS: null };
const never = new AbortController().signal;

describe('limits of an account and of a deployment', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let two: OpenJobs;
  let version = 0;
  beforeAll(async () => {
    db = await openDatabase();
    const settings = { queueDepthAccount: 4, queueDepth: 6, maxRuntimeMs: 10_000, retentionMs: 3_600_000 };
    [one, two] = await Promise.all([openJobs(db, settings), openJobs(db, settings)]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await dropConsistent(db);
  });
  const limits = (of: OpenJobs = one): JobLimitsPort => of.get<JobLimitsPort>(JOB_LIMITS_PORT);
  const limit = async (me: Principal, own: Partial<AccountJobLimits>): Promise<void> => {
    await limits().limitAccount(me.accountId, { queueDepth: null, running: null, ...own }, (version += 1));
  };
  const limitPlace = async ({ deploymentId }: Principal, own: Partial<DeploymentLimits>): Promise<void> => {
    const limited = { deploymentId, limits: { ...NO_LIMITS, ...own }, version: (version += 1) };
    await one.get<WorkerPoolsPort>(WORKER_POOLS_PORT).limit([limited]);
  };
  const elsewhere = (me: Principal): Principal => ({ ...me, deploymentId: newUuid() as DeploymentId });
  const submit = async (me: Principal, of = one) => codeOf(await of.jobs.submit(me, submissionOf()));
  const use = async ({ accountId }: Principal) => (await limits().openJobsOf([accountId])).get(accountId);

  it('bound the waiting jobs of an account in all deployments together, whatever two replicas take at once', async () => {
    const me = someAccount();
    await limit(me, { queueDepth: 5 });
    const places = [me, elsewhere(me), elsewhere(me)];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => submit(places[at % 3]!, at % 2 === 0 ? one : two)),
    );
    expect(answers.filter((code) => code === 'accepted')).toHaveLength(5);
    expect(answers.filter((code) => code === 'queue_full')).toHaveLength(25);
    expect(await use(me)).toEqual({ waiting: 5, running: 0 });
    await limit(me, { queueDepth: 6 });
    expect(await submit(me, two)).toBe('accepted');
    expect(await submit(me)).toBe('queue_full');
  });

  it('without a limit of its own an account has the setting; 0 lets nothing wait', async () => {
    const me = someAccount();
    for (let n = 0; n < 4; n += 1) expect(await submit(me)).toBe('accepted');
    expect(await submit(me)).toBe('queue_full');
    await limit(me, { queueDepth: 0 });
    expect(await submit(someAccount())).toBe('accepted');
    expect(await submit(elsewhere(me))).toBe('queue_full');
    await limit(me, {});
    expect(await submit(me)).toBe('queue_full');
  });

  it('a change that comes late is passed by', async () => {
    const me = someAccount();
    await limits().limitAccount(me.accountId, { queueDepth: 1, running: null }, 7);
    await limits(two).limitAccount(me.accountId, { queueDepth: 9, running: null }, 6);
    expect([await submit(me), await submit(me)]).toEqual(['accepted', 'queue_full']);
  });

  it('a deployment takes as many waiting jobs as its own limit says', async () => {
    const me = someAccount();
    await limitPlace(me, { queueDepth: 2 });
    const other = { ...someAccount(), deploymentId: me.deploymentId };
    expect([await submit(me), await submit(other), await submit(me, two)]).toEqual([
      'accepted',
      'accepted',
      'queue_full',
    ]);
    await limitPlace(me, {});
    expect(await submit(me)).toBe('accepted');
  });

  it('an account runs no more jobs than it may, and the next one starts when one ends or the limit rises', async () => {
    const me = someAccount();
    await limit(me, { running: 2 });
    for (let n = 0; n < 4; n += 1) await submitted(one, me);
    const first = await leased(one, me);
    await leased(two, me, 'worker-b');
    const waiting = one.leases.acquire(leaseRequest(me, 'worker-c'), never);
    const query = { statuses: ['queued'], limit: 10, cursor: null, idempotencyKey: null, metadata: {} } as const;
    const ids = valueOf(await one.jobs.list(me, query)).jobs.map(({ id }) => id);
    expect([...(await one.jobs.queuePositions(ids)).values()].toSorted()).toEqual([1, 2]);
    expect(await use(me)).toEqual({ waiting: 2, running: 2 });
    await one.leases.ingest([reportOf(first, 1, succeeded)]);
    expect(await waiting).toHaveLength(1);
    expect(await use(me)).toEqual({ waiting: 1, running: 2 });
    const last = two.leases.acquire(leaseRequest(me, 'worker-d'), never);
    await limit(me, { running: 3 });
    expect(await last).toHaveLength(1);
  });

  it('are not passed by a job that arrives while workers wait, in any deployment', async () => {
    const me = someAccount();
    const there = elsewhere(me);
    await limit(me, { running: 1 });
    const here = one.leases.acquire(leaseRequest(me, 'worker-a', { waitMs: 1_500 }), never);
    const away = two.leases.acquire(leaseRequest(there, 'worker-b', { waitMs: 1_500 }), never);
    await Promise.all([submitted(one, me), submitted(two, there), submitted(one, me), submitted(two, there)]);
    const granted = [...(await here), ...(await away)];
    expect(granted).toHaveLength(1);
    expect(await use(me)).toEqual({ waiting: 3, running: 1 });
    expect(await use(someAccount())).toBeUndefined();
  });

  it('hold for jobs of a pinned environment too', async () => {
    const me = someAccount();
    await limit(me, { running: 1 });
    for (let n = 0; n < 3; n += 1) await submitted(one, me, { revision: 2 });
    const request = (workerId: string, waitMs: number) => leaseRequest(me, workerId, { revision: 2, waitMs });
    const [first] = await one.leases.acquire(request('worker-a', 10_000), never);
    expect(await two.leases.acquire(request('worker-b', 300), never)).toEqual([]);
    const next = one.leases.acquire(request('worker-c', 10_000), never);
    await one.leases.ingest([reportOf(first!, 1, succeeded)]);
    expect(await next).toHaveLength(1);
    expect(await use(me)).toEqual({ waiting: 1, running: 1 });
  });

  it('a deployment has its own maximum runtime and retention, for its price too', async () => {
    const me = someAccount();
    await priced(one, me, { perJob: 1, perSecond: 1 }, 1_000);
    await submitted(two, me);
    await limitPlace(me, { maxRuntimeS: 20, jobRetentionS: 60 });
    const { id, createdAt, expiresAt } = await submitted(two, me);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(60_000);
    expect((await entriesOf(one, me)).filter(({ kind }) => kind === 'reserve').map(({ amount }) => amount)).toEqual([
      -11, -21,
    ]);
    // The job that was submitted before runs as long as the deployment allows now.
    expect((await leased(one, me)).maxRuntimeSeconds).toBe(20);
    const second = await leased(one, me);
    expect([second.jobId, second.maxRuntimeSeconds]).toEqual([id, 20]);
    await limitPlace(me, {});
    await submitted(one, me);
    expect((await leased(two, me, 'worker-b')).maxRuntimeSeconds).toBe(10);
    expect((await creditsOf(one).show(me.accountId)).reserved).toBe(43);
    await until(async () => (await use(me))?.running === 3, 'three running jobs');
  });
});
