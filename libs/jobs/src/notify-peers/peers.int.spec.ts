import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, PEERS_PORT, Secret } from '@heddle/contracts-messages';
import type { DeploymentId, JobId, LeaseState, PeersPort } from '@heddle/contracts-messages';
import { Sequencer } from '@heddle/platform-event-log';
import type { TestDatabase } from '@heddle/testing-database';
import { CredentialVault } from '../lease-job/credential-vault.js';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import type { JobsSettings } from '../settings.js';
import {
  dropConsistent,
  leased,
  leaseRequest,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { ReplicaTable } from './replicas.js';

const never = new AbortController().signal;
/** Nothing here may be found by a poll. */
const WITHOUT_POLL: Partial<JobsSettings> = { sweepIntervalMs: 600_000 };

describe('replicas of the jobs service', () => {
  let db: TestDatabase;
  const served = new Map<string, PeersPort>();
  const open: OpenJobs[] = [];
  let count = 0;

  async function replica(settings: Partial<JobsSettings> = WITHOUT_POLL): Promise<OpenJobs & { address: string }> {
    const address = `peer-${++count}`;
    const peers = (to: string): PeersPort => ({
      hint: async (hints) => await reach(to, address).hint(hints),
      takeCredentials: async (jobId) => await reach(to, address).takeCredentials(jobId),
      keepCredentials: async (held) => await reach(to, address).keepCredentials(held),
    });
    const one = { ...(await openJobs(db, settings, { address, peers })), address };
    served.set(address, one.get<PeersPort>(PEERS_PORT));
    open.push(one);
    return one;
  }

  /** A replica that nobody can reach reaches nobody. */
  function reach(to: string, from: string): PeersPort {
    const peer = served.has(from) ? served.get(to) : undefined;
    if (peer === undefined) throw new Error(`connect ECONNREFUSED ${to}`);
    return peer;
  }

  async function two(settings?: Partial<JobsSettings>): Promise<[OpenJobs & { address: string }, OpenJobs]> {
    const [one, other] = [await replica(settings), await replica(settings)];
    await meet(one, other);
    return [one, other];
  }

  /** The first one numbers the log before a second one exists. */
  async function leaderAndOther(): Promise<[OpenJobs & { address: string }, OpenJobs]> {
    const one = await replica();
    const led = 'select lease_until > heddle.clock_now() as led from jobs.seq_cursor';
    await until(async () => (await db.owner.query<{ led: boolean }>(led)).rows[0]?.led, 'the first leads');
    const other = await replica();
    await meet(one, other);
    await until(async () => await Promise.resolve(other.get(Sequencer).leader !== null), 'the other knows it');
    return [one, other];
  }

  /** They look for each other every second; here, at once. */
  async function meet(...all: readonly OpenJobs[]): Promise<void> {
    for (const each of all) await each.get(ReplicaTable).look();
  }

  beforeAll(async () => {
    db = await openDatabase();
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    served.clear();
    await db.owner.query('delete from jobs.replica');
  });
  afterAll(async () => await dropConsistent(db));

  it('answer with what another one has just written', async () => {
    const [one, other] = await two();
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(other, me);
    expect(valueOf(await one.jobs.get(me, id)).status).toBe('running');
    const query = { statuses: [], limit: 10, cursor: null, idempotencyKey: null, metadata: {} };
    expect(valueOf(await one.jobs.list(me, query)).jobs).toMatchObject([{ id, status: 'running' }]);
    await other.leases.ingest([reportOf(lease, 1, succeeded)]);
    expect(valueOf(await one.jobs.get(me, id)).status).toBe('succeeded');
    expect(valueOf(await one.jobs.cancel(me, id)).status).toBe('succeeded');
  });

  it('never decide to do nothing by what they remember', async () => {
    const [one, other] = await two();
    const me = someAccount();
    await submitted(one, me);
    const first = await leased(one, me, 'worker-a');
    await other.leases.handBack('worker-a', first);
    const second = await leased(other, me, 'worker-b');
    expect(second.fence).toBe(2);
    // `one` has cached fence 1, `other` fence 2.
    const output = outputOf('9/0/0');
    await one.leases.ingest([reportOf(second, 1, { kind: 'output_committed', output }, 'worker-b')]);
    await one.leases.handBack('worker-b', second);
    // `other` has cached that the job runs under fence 2.
    const third = await leased(other, me, 'worker-c');
    expect(third.fence).toBe(3);
    await one.leases.ingest([reportOf(second, 2, succeeded, 'worker-b')]);
    expect(valueOf(await other.jobs.get(me, third.jobId))).toMatchObject({ status: 'running', outputs: [output] });
    await one.leases.ingest([reportOf(third, 1, succeeded, 'worker-c')]);
    expect(valueOf(await other.jobs.get(me, third.jobId)).status).toBe('succeeded');
  });

  it('hand a job to a worker that waits at another one, at once', async () => {
    const [one, other] = await two();
    const me = someAccount();
    const lease = leased(other, me);
    await until(async () => await waits(other, me.deploymentId), 'the worker waits');
    const { id } = await submitted(one, me);
    expect((await lease).jobId).toBe(id);
  });

  it('notify each other of jobs beyond the slots of their own workers, once', async () => {
    const [one, other] = await two();
    const me = someAccount();
    const elsewhere = someAccount();
    const hinted: JobId[] = [];
    const told = served.get(one.address)!;
    served.set(one.address, {
      ...told,
      hint: async (hints) => {
        hinted.push(...hints.work.map(({ jobId }) => jobId!));
        await told.hint(hints);
      },
    });
    const mine = leased(one, me, 'worker-a');
    const theirs = leased(other, me, 'worker-b');
    // It takes no job of this deployment, so jobs that it is notified of stay queued and are not passed on.
    const idle = other.leases.acquire(leaseRequest(elsewhere, 'worker-c', { waitMs: 2_000 }), never);
    await until(async () => await waits(other, me.deploymentId), 'the worker waits');
    const jobs = await Promise.all(Array.from({ length: 6 }, async () => await submitted(one, me)));
    const got = [(await mine).jobId, (await theirs).jobId];
    expect(new Set(got).size).toBe(2);
    for (const jobId of got) expect(jobs.map(({ id }) => id)).toContain(jobId);
    expect(await idle).toEqual([]);
    expect(hinted).toEqual([]);
  });

  it('push a cancel and a lost lease to a worker that listens to another one', async () => {
    const [one, other] = await two();
    const me = someAccount();
    const heard: LeaseState[] = [];
    const unwatch = other.leases.watch('worker-w', (state) => heard.push(state));
    await submitted(one, me);
    const { jobId, fence } = await leased(other, me, 'worker-w');
    await one.jobs.cancel(me, jobId);
    await until(async () => await Promise.resolve(heard.length === 1), 'the cancel');
    await one.leases.handBack('worker-w', { jobId, fence });
    await until(async () => await Promise.resolve(heard.length === 2), 'the loss');
    expect(heard).toEqual([
      { jobId, fence, state: 'cancel_requested' },
      { jobId, fence, state: 'lost' },
    ]);
    unwatch();
  });

  it('get credentials from the one that took the submission, and drop them when the job ends', async () => {
    const [one, other] = await two();
    const me = someAccount();
    const { id } = await submitted(one, me, { credentials: { apiKey: new Secret('canary') } });
    const lease = await leased(other, me);
    expect(lease.credentials?.apiKey?.reveal()).toBe('canary');
    await other.leases.ingest([reportOf(lease, 1, succeeded)]);
    expect(other.get(CredentialVault).get(id)).toBeNull();
    await until(async () => await Promise.resolve(one.get(CredentialVault).get(id) === null), 'the first deletes it');
  });

  it('wait for one that does not answer, serve others meanwhile, and end the job when it is gone', async () => {
    // Ten heartbeats last longer than a busy machine delays a connection of one of them.
    const [one, other] = await two({ sweepIntervalMs: 50, peerHeartbeatMs: 300 });
    const me = someAccount();
    const { id } = await submitted(one, me, { credentials: { authToken: new Secret('canary') } });
    const second = await submitted(one, me);
    served.delete(one.address);
    expect((await leased(other, me, 'worker-a')).jobId).toBe(second.id);
    expect(await other.leases.acquire(leaseRequest(me, 'worker-b', { waitMs: 300 }), never)).toEqual([]);
    expect(valueOf(await other.jobs.get(me, id)).status).toBe('queued');
    // As after a crash: its row stays and no longer moves.
    await one.close();
    await db.owner.query(`insert into jobs.replica (id, address) values ($1, $2)`, [newUuid(), one.address]);
    await other.get(ReplicaTable).look();
    expect(other.get(ReplicaTable).peers).toHaveLength(1);
    await until(async () => await Promise.resolve(other.get(ReplicaTable).peers.length === 0), 'it is taken for gone');
    const hangUp = new AbortController();
    const acquired = other.leases.acquire(leaseRequest(me, 'worker-b', { waitMs: 60_000 }), hangUp.signal);
    await until(async () => valueOf(await other.jobs.get(me, id)).status !== 'queued', 'the end of the job');
    hangUp.abort();
    expect(await acquired).toEqual([]);
    expect(valueOf(await other.jobs.get(me, id))).toMatchObject({
      status: 'failed',
      error: { code: 'credential_lost' },
    });
    expect((await db.owner.query('select from jobs.replica')).rowCount).toBe(1);
  });

  it('leave in order: waiting workers are answered, credentials and the log’s lease go to another', async () => {
    const [one, other] = await leaderAndOther();
    const me = someAccount();
    const { id } = await submitted(one, me, { credentials: { apiKey: new Secret('canary') } });
    const waiting = one.leases.acquire(leaseRequest(someAccount(), 'worker-a', { waitMs: 60_000 }), never);
    const closed = one.close();
    expect(await waiting).toEqual([]);
    await closed;
    open.splice(open.indexOf(one), 1);
    expect((await db.owner.query<{ n: number }>('select count(*)::int n from jobs.replica')).rows[0]?.n).toBe(1);
    served.delete(one.address);
    const lease = await leased(other, me);
    expect([lease.jobId, lease.credentials?.apiKey?.reveal()]).toEqual([id, 'canary']);
    await until(async () => await Promise.resolve(other.get(Sequencer).leader === null), 'the other leads');
    await until(allNumbered, 'the log');
  });

  it('wake the sequencer wherever it works, long before it would look by itself', async () => {
    const [one, other] = await leaderAndOther();
    const me = someAccount();
    const waits: number[] = [];
    for (let commit = 0; commit < 12; commit++) {
      await submitted(other, me);
      const committed = performance.now();
      await until(allNumbered, 'the log');
      waits.push(performance.now() - committed);
    }
    // Its polls are 500 ms apart, and each commit here comes right after one; a busy machine lengthens some waits.
    expect(waits.filter((ms) => ms < 250).length, `${waits.join()} ms`).toBeGreaterThan(6);
    expect(one.get(Sequencer).leader).toBeNull();
  });

  async function allNumbered(): Promise<boolean> {
    const { rows } = await db
      .pool(JOBS_ROLE)
      .query<{ done: boolean }>('select (select count(*) from jobs.event) = seq as done from jobs.seq_cursor');
    return rows[0]?.done ?? false;
  }

  /** A round trip through a replica's dispatcher: earlier callers wait by then. */
  async function waits({ leases, jobs }: OpenJobs, deploymentId: DeploymentId): Promise<boolean> {
    await leases.acquire({ ...leaseRequest({ ...someAccount(), deploymentId }), slots: 0 }, never);
    await jobs.queuePositions([newUuid() as JobId]);
    return true;
  }
});
