import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, Secret } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, LeaseState, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  leased,
  leaseRequest,
  dropConsistent,
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
import { CredentialVault } from './credential-vault.js';

const never = new AbortController().signal;

describe('leasing a job', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db);
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  it('carries what the worker needs', async () => {
    const me = someAccount();
    const workflow = Buffer.from('{"9":{"a":  1.0}}');
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { id, expiresAt } = await submitted(one, me, { workflow, nodesTotal: 7, traceparent });
    const lease = await leased(one, me);
    expect(lease).toMatchObject({
      ...me,
      jobId: id,
      fence: 1,
      attempt: 1,
      nodesTotal: 7,
      credentials: null,
      progressFloor: 0,
      leaseSeconds: 30,
      maxRuntimeSeconds: 3600,
      jobExpiresAt: expiresAt,
      traceparent,
    });
    expect(Buffer.from(lease.workflow).equals(workflow)).toBe(true);
    const view = valueOf(await one.jobs.get(me, id));
    expect(view).toMatchObject({ status: 'running', version: 2, fence: 1, queuePosition: null });
    expect(view.startedAt).not.toBeNull();
  });

  it('hands a job to a worker that waits already', async () => {
    const me = someAccount();
    const lease = leased(one, me);
    const { id } = await submitted(one, me);
    expect((await lease).jobId).toBe(id);
  });

  it('gives one job to one of many workers, over two processes', async () => {
    const me = someAccount();
    const rival = await openJobs(db);
    const hangUp = new AbortController();
    const given: string[] = [];
    const acquired = Array.from({ length: 20 }, async (_, index) => {
      const request = leaseRequest(me, `worker-${index}`, { waitMs: 60_000 });
      const leases = await (index % 2 === 0 ? one : rival).leases.acquire(request, hangUp.signal);
      given.push(...leases.map(({ jobId }) => jobId));
    });
    const submissions = [];
    for (const { jobs } of [one, rival, one]) {
      submissions.push(valueOf(await jobs.submit(me, submissionOf())).id);
      await until(async () => await Promise.resolve(given.length >= submissions.length), 'the lease');
    }
    hangUp.abort();
    await Promise.all(acquired);
    expect(given).toEqual(submissions);
    await rival.close();
  });

  it('answers a worker that waits in vain with nothing, and one that hangs up', async () => {
    const me = someAccount();
    expect(await one.leases.acquire(leaseRequest(me, 'worker-a', { waitMs: 20 }), never)).toEqual([]);
    const hangUp = new AbortController();
    const acquired = one.leases.acquire(leaseRequest(me), hangUp.signal);
    hangUp.abort();
    expect(await acquired).toEqual([]);
  });

  it('loses no job to a worker that hangs up while it is leased', async () => {
    const me = someAccount();
    const hangUp = new AbortController();
    const acquired = one.leases.acquire(leaseRequest(me), hangUp.signal);
    await submitted(one, me);
    hangUp.abort();
    const early = await acquired;
    const lease = early[0] ?? (await leased(one, me, 'worker-b'));
    expect(lease.attempt).toBe(1);
  });

  it('is fair between accounts, in the order of queue positions', async () => {
    const { deploymentId } = someAccount();
    // If nothing else decides, the smaller id is first.
    const [smaller, greater] = [newUuid(), newUuid()].sort() as [AccountId, AccountId];
    const [me, other] = [smaller, greater].map((accountId) => ({ accountId, deploymentId })) as [Principal, Principal];
    const mine = [];
    for (let index = 0; index < 3; index++) mine.push((await submitted(one, me)).id);
    const theirs = await submitted(one, other);
    expect(theirs.queuePosition).toBe(2);
    const positions = await one.jobs.queuePositions([...mine, theirs.id]);
    expect([...mine, theirs.id].map((id) => positions.get(id))).toEqual([1, 3, 4, 2]);
    const order = [];
    for (let index = 0; index < 4; index++) order.push((await leased(one, me, `worker-${index}`)).jobId);
    expect(order).toEqual([mine[0], theirs.id, mine[1], mine[2]]);
  });

  it('is fair within each deployment: the jobs of one account delay another by one job for each worker', async () => {
    const [busy, quiet] = [newUuid(), newUuid()].sort() as [AccountId, AccountId];
    const [first, second] = [someAccount().deploymentId, someAccount().deploymentId];
    const of = (accountId: AccountId, deploymentId: DeploymentId): Principal => ({ accountId, deploymentId });
    await Promise.all(Array.from({ length: 60 }, () => submitted(one, of(busy, first))));
    // In the other deployment, the quiet account runs more than the busy one.
    await Promise.all(Array.from({ length: 3 }, () => submitted(one, of(quiet, second))));
    for (const name of ['a', 'b', 'c']) await leased(one, of(quiet, second), `second-${name}`);
    const workers = ['first-a', 'first-b'];
    for (const name of workers) expect((await leased(one, of(busy, first), name)).accountId).toBe(busy);
    const { id } = await submitted(one, of(quiet, first));
    await submitted(one, of(busy, second));
    // The next free worker of either deployment takes the job of the account that has none running there.
    expect((await leased(one, of(busy, first), 'first-a')).jobId).toBe(id);
    expect((await leased(one, of(busy, second), 'second-a')).accountId).toBe(busy);
    expect((await leased(one, of(busy, first), 'first-b')).accountId).toBe(busy);
  });

  it('gives as many jobs as there are slots', async () => {
    const me = someAccount();
    await Promise.all(Array.from({ length: 5 }, async () => await submitted(one, me)));
    const leases = await one.leases.acquire(leaseRequest(me, 'worker-a', { slots: 3 }), never);
    expect(leases).toHaveLength(3);
    expect(new Set(leases.map((lease) => lease.jobId)).size).toBe(3);
  });

  it('renews a lease by heartbeat, and never revives one that was rescued', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const { jobId, fence } = await leased(one, me);
    const heartbeat = async (workerId: string, at = fence): Promise<string | undefined> =>
      (await one.leases.heartbeat(workerId, [{ jobId, fence: at }]))[0]?.state;
    expect(await heartbeat('worker-a')).toBe('held');
    expect([await heartbeat('worker-b'), await heartbeat('worker-a', fence + 1)]).toEqual(['lost', 'lost']);
    await db.advanceClock(20_000);
    expect(await heartbeat('worker-a')).toBe('held');
    await db.advanceClock(31_000);
    await until(async () => valueOf(await one.jobs.get(me, id)).status === 'queued', 'the rescue');
    expect(await heartbeat('worker-a')).toBe('lost');
  });

  it('pushes a cancel to the worker, and repeats it in the heartbeat', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const { jobId, fence } = await leased(one, me);
    const heard: LeaseState[] = [];
    const unwatch = one.leases.watch('worker-a', (state) => heard.push(state));
    await one.jobs.cancel(me, id);
    expect(heard).toEqual([{ jobId, fence, state: 'cancel_requested' }]);
    const answers = await one.leases.heartbeat('worker-a', [{ jobId, fence }]);
    expect(answers).toEqual([{ jobId, fence, state: 'cancel_requested' }]);
    unwatch();
  });

  it('queues a job that was handed back at its old position and attempt', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await submitted(one, me);
    const first = await leased(one, me);
    await one.leases.handBack('worker-b', first);
    expect(valueOf(await one.jobs.get(me, id)).status).toBe('running');
    await one.leases.handBack('worker-a', first);
    expect(valueOf(await one.jobs.get(me, id))).toMatchObject({ status: 'queued', queuePosition: 1 });
    const second = await leased(one, me, 'worker-b');
    expect(second).toMatchObject({ jobId: id, attempt: 1, fence: 2 });
  });

  it('gives the credentials to the worker and keeps them nowhere else', async () => {
    const me = someAccount();
    const canary = `canary-${newUuid()}`;
    const { id } = await submitted(one, me, { credentials: { apiKey: new Secret(canary) } });
    const lease = await leased(one, me);
    expect(lease.credentials?.apiKey?.reveal()).toBe(canary);
    const { rows } = await db.owner.query<{ found: string }>(
      `select table_name as found from information_schema.tables where table_schema = 'jobs' and table_type = 'BASE TABLE'`,
    );
    for (const { found } of rows) {
      const hits = await db.owner.query(
        `select from jobs.${found} t where to_jsonb(t)::text like $1 or to_jsonb(t)::text like $2`,
        [`%${canary}%`, `%${Buffer.from(canary).toString('hex')}%`],
      );
      expect([found, hits.rowCount]).toEqual([found, 0]);
    }
    await one.leases.ingest([reportOf(lease, 1, succeeded)]);
    expect(one.get(CredentialVault).get(id)).toBeNull();
  });

  it('ends a job whose credentials are gone with credential_lost', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me, { credentials: { apiKey: new Secret('x') } });
    one.get(CredentialVault).destroy(id);
    const hangUp = new AbortController();
    const acquired = one.leases.acquire(leaseRequest(me, 'worker-a', { waitMs: 60_000 }), hangUp.signal);
    await until(async () => valueOf(await one.jobs.get(me, id)).status !== 'queued', 'the end of the job');
    hangUp.abort();
    expect(await acquired).toEqual([]);
    expect(valueOf(await one.jobs.get(me, id))).toMatchObject({ status: 'failed', error: { code: 'credential_lost' } });
  });
});
