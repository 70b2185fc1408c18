import { newUuid, Secret } from '@heddle/contracts-messages';
import type {
  AssetId,
  DeploymentId,
  DurableReport,
  JobId,
  JobLease,
  JobOutput,
  JobsPort,
  JobView,
  LeaseKey,
  LeaseState,
  Principal,
  ServedWorkPort,
  WorkPort,
  WorkSession,
} from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobsDatabase, openJobs, someAccount, submissionOf, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

export interface Binding {
  /** The port of workers of this deployment */
  workOf(deploymentId: DeploymentId): WorkPort;
  close(): Promise<void>;
}

/** A test worker that records its leases and lease states */
export interface TestWorker {
  readonly session: WorkSession;
  readonly leases: JobLease[];
  readonly states: LeaseState[];
  /** Takes one more job. */
  next(): Promise<JobLease>;
}

export function workerOn(work: WorkPort, deploymentId: DeploymentId, workerId = `worker-${newUuid()}`): TestWorker {
  const leases: JobLease[] = [];
  const states: LeaseState[] = [];
  const session = work.open(
    { workerId, environment: 'test/1', deploymentId, revision: 0 },
    { leases: (given) => leases.push(...given), state: (state) => states.push(state) },
  );
  const next = async (): Promise<JobLease> => {
    const before = leases.length;
    session.offer(1);
    await until(() => Promise.resolve(leases.length > before), 'a lease');
    return leases[before]!;
  };
  return { session, leases, states, next };
}

const PROGRESS = { value: 1, nodesDone: 1, nodesTotal: 1, currentNode: null, currentNodeClass: null };

export function outcomeOf({ jobId, fence }: LeaseKey, sequence = 1): DurableReport {
  const progress = { ...PROGRESS, step: null, steps: null, message: null };
  return { jobId, fence, sequence, kind: 'outcome', outcome: { kind: 'succeeded' }, progress };
}

function outputReportOf({ jobId, fence }: JobLease, sequence: number, changes: Partial<JobOutput>): DurableReport {
  const bytes = { contentType: 'image/png', sizeBytes: 1, hash: `blake3:${'0'.repeat(64)}` };
  const output = { nodeId: '9', key: `9/0/${sequence}`, name: 'a.png', type: 'image', assetId: newUuid(), ...bytes };
  return { jobId, fence, sequence, kind: 'output_committed', output: { ...output, ...changes } as JobOutput };
}

export function nodeOf({ jobId, fence }: JobLease, sequence: number): DurableReport {
  const at = '2026-01-01T00:00:00.000Z';
  const node = { nodeId: '1', classType: 'EmptyImage', startedAt: at, endedAt: at, cached: false };
  return { jobId, fence, sequence, kind: 'node_finished', ...node };
}

/** Conformance suite of WorkPort. `bind` connects the port to the jobs service of the suite. */
export function describeWorkPort(name: string, bind: (served: ServedWorkPort) => Promise<Binding>): void {
  describe(`a worker's line to the jobs service: ${name}`, () => {
    let db: TestDatabase;
    let jobs: JobsUnderTest;
    let binding: Binding;
    const open: TestWorker[] = [];
    beforeAll(async () => {
      db = await jobsDatabase();
      jobs = await openJobs(db);
      binding = await bind(jobs.work);
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map(({ session }) => session.close()));
    });
    afterAll(async () => {
      await binding.close();
      await jobs.close();
      await db.drop();
    });
    let me: Principal;
    beforeEach(() => (me = someAccount()));
    const worker = (workerId?: string, { deploymentId }: Principal = me): TestWorker => {
      const one = workerOn(binding.workOf(deploymentId), deploymentId, workerId);
      open.push(one);
      return one;
    };
    const submit = async (
      port: JobsPort = jobs.jobs,
      changes: Parameters<typeof submissionOf>[0] = {},
    ): Promise<JobId> => {
      const answer = await port.submit(me, submissionOf(changes));
      if (!answer.ok) throw new Error(answer.rejection.message);
      return answer.value.id;
    };
    const viewOf = async (jobId: JobId): Promise<JobView> => {
      const answer = await jobs.jobs.get(me, jobId);
      if (!answer.ok) throw new Error(answer.rejection.message);
      return answer.value;
    };

    it('gives a job to a worker that offers a slot, with the workflow as it was submitted', async () => {
      const { next } = worker();
      const leased = next();
      const jobId = await submit(jobs.jobs, { workflow: Buffer.from('{"é":1}') });
      const lease = await leased;
      expect(lease).toMatchObject({ ...me, jobId, fence: 1, attempt: 1, credentials: null, nodesTotal: 1 });
      expect(Buffer.from(lease.workflow).toString()).toBe('{"é":1}');
    });

    it('gives as many jobs as there are slots, and no more', async () => {
      const one = worker();
      for (let count = 0; count < 4; count += 1) await submit();
      one.session.offer(3);
      await until(() => Promise.resolve(one.leases.length === 3), 'three leases');
      // The next job goes to the next offer: the first worker has no free slot.
      const other = worker();
      await other.next();
      expect([one.leases.length, other.leases.length]).toEqual([3, 1]);
    });

    it('gives nothing once the offer is withdrawn', async () => {
      const one = worker();
      one.session.offer(2);
      await one.session.heartbeat([]);
      one.session.offer(0);
      // After this answer, the service has processed the withdrawal.
      await one.session.heartbeat([]);
      const jobId = await submit();
      const other = worker();
      expect((await other.next()).jobId).toBe(jobId);
      expect(one.leases).toEqual([]);
    });

    it('stores what is reported before it answers', async () => {
      const one = worker();
      const jobId = await submit();
      const lease = await one.next();
      expect(await one.session.report([nodeOf(lease, 1), outcomeOf(lease, 2)])).toEqual(['stored', 'stored']);
      expect((await viewOf(jobId)).status).toBe('succeeded');
    });

    it('stores a report once, however often it comes', async () => {
      const one = worker();
      const jobId = await submit();
      const lease = await one.next();
      for (let again = 0; again < 3; again += 1) {
        expect(await one.session.report([nodeOf(lease, 1)])).toEqual(['stored']);
      }
      // Events: submitted, leased, one node.
      expect((await viewOf(jobId)).version).toBe(3);
    });

    it('says of an outcome whose acknowledgement was lost that it is stored, to its worker alone', async () => {
      const one = worker();
      const thief = worker();
      const jobId = await submit();
      const lease = await one.next();
      const reports = [nodeOf(lease, 1), outcomeOf(lease, 2)];
      for (let again = 0; again < 2; again += 1) {
        expect(await one.session.report(reports)).toEqual(['stored', 'stored']);
      }
      expect(await thief.session.report(reports)).toEqual(['stale_fence', 'stale_fence']);
      expect(await one.session.report([nodeOf(lease, 3)])).toEqual(['stale_fence']);
      expect((await viewOf(jobId)).version).toBe(4);
    });

    it('refuses a report that has not its shape, and stores the others', async () => {
      const one = worker();
      await submit();
      const lease = await one.next();
      const bad = { ...nodeOf(lease, 1), startedAt: 'yesterday' } as DurableReport;
      const nobodys = { ...nodeOf(lease, 3), jobId: 'not an id' as JobId };
      const verdicts = await one.session.report([bad, nodeOf(lease, 2), nobodys]);
      expect(verdicts).toEqual(['malformed', 'stored', 'malformed']);
    });

    it('refuses an output that other services could not read, and cuts a traceback by its bytes', async () => {
      const one = worker();
      const jobId = await submit();
      const lease = await one.next();
      const bad: readonly Partial<JobOutput>[] = [
        { assetId: 'not-an-id' as AssetId },
        { assetId: 'x'.repeat(900_000) as AssetId },
        { hash: 'x' },
        { key: 'k'.repeat(5_000) },
      ];
      const reports = bad.map((changes, at) => outputReportOf(lease, at + 1, changes));
      expect(await one.session.report(reports)).toEqual(bad.map(() => 'malformed'));
      const error = { code: 'engine_error', message: 'x', nodeId: null, classType: null } as const;
      const outcome = { kind: 'failed', ...error, traceback: '\u001b'.repeat(262_144) } as const;
      expect(await one.session.report([{ ...outcomeOf(lease, 5), outcome } as DurableReport])).toEqual(['stored']);
      expect((await viewOf(jobId)).status).toBe('failed');
    });

    it('says that an older lease of a job is lost, also beside its newest one', async () => {
      const one = worker();
      await submit();
      const first = await one.next();
      const newest = one.next();
      await one.session.handBack(first);
      const second = await newest;
      expect(second).toMatchObject({ jobId: first.jobId, fence: 2 });
      const states = await one.session.heartbeat([first, second].map(({ jobId, fence }) => ({ jobId, fence })));
      expect(states.map(({ fence, state }) => [fence, state])).toEqual([
        [1, 'lost'],
        [2, 'held'],
      ]);
    });

    it('takes no report, heartbeat or hand-back of a worker that has not the lease', async () => {
      const one = worker();
      const thief = worker();
      const jobId = await submit();
      const lease = await one.next();
      expect(await thief.session.report([nodeOf(lease, 1), outcomeOf(lease, 2)])).toEqual([
        'stale_fence',
        'stale_fence',
      ]);
      expect(await thief.session.heartbeat([lease])).toMatchObject([{ state: 'lost' }]);
      await thief.session.handBack(lease);
      expect(await viewOf(jobId)).toMatchObject({ status: 'running', version: 2 });
      expect(await one.session.heartbeat([lease])).toMatchObject([{ state: 'held' }]);
      expect(await one.session.report([{ ...outcomeOf(lease), fence: lease.fence + 1 }])).toEqual(['stale_fence']);
    });

    it('takes nothing of a worker of another deployment, even under the same name', async () => {
      const one = worker('same-name');
      const thief = worker('same-name', someAccount());
      const jobId = await submit();
      const lease = await one.next();
      await expectNothing(thief, lease);
      expect(await viewOf(jobId)).toMatchObject({ status: 'running', version: 2 });
      const reports = [nodeOf(lease, 1), outcomeOf(lease, 2)];
      expect(await one.session.report(reports)).toEqual(['stored', 'stored']);
      // Not even that they are stored.
      expect(await thief.session.report(reports)).toEqual(['stale_fence', 'stale_fence']);
    });

    it('says nothing of a job with credentials to another deployment, and starts it for its worker alone', async () => {
      await submit(jobs.jobs, { credentials: { apiKey: new Secret('canary-2') } });
      const one = worker('same-name');
      const thief = worker('same-name', someAccount());
      const lease = await one.next();
      const { jobId, fence } = lease;
      const started = { jobId, fence, sequence: 1, kind: 'started' } as const;
      expect(await thief.session.report([started])).toEqual(['stale_fence']);
      await expectNothing(thief, lease);
      expect(await one.session.report([started])).toEqual(['stored']);
    });

    async function expectNothing({ session, leases }: TestWorker, lease: JobLease): Promise<void> {
      expect(await session.report([nodeOf(lease, 1), outcomeOf(lease, 2)])).toEqual(['stale_fence', 'stale_fence']);
      expect(await session.heartbeat([lease])).toMatchObject([{ state: 'lost' }]);
      await session.handBack(lease);
      session.offer(5);
      await session.heartbeat([]);
      expect(leases).toEqual([]);
    }

    it('sends a cancel at once, and again with a heartbeat', async () => {
      const one = worker();
      const jobId = await submit();
      const { fence } = await one.next();
      await jobs.jobs.cancel(me, jobId);
      await until(() => Promise.resolve(one.states.length > 0), 'the cancel');
      const state = { jobId, fence, state: 'cancel_requested' };
      expect(one.states[0]).toEqual(state);
      expect(await one.session.heartbeat([{ jobId, fence }])).toEqual([state]);
    });

    it('queues a job again that is handed back, with its attempt unspent', async () => {
      const one = worker();
      const jobId = await submit();
      await one.session.handBack(await one.next());
      expect((await viewOf(jobId)).status).toBe('queued');
      expect(await worker().next()).toMatchObject({ jobId, attempt: 1, fence: 2 });
    });

    it('hands partner credentials on, wrapped', async () => {
      await submit(jobs.jobs, { credentials: { apiKey: new Secret('canary-1') } });
      const one = worker();
      const lease = await one.next();
      expect(lease.credentials?.apiKey?.reveal()).toBe('canary-1');
      expect(lease.credentials?.authToken).toBeUndefined();
      const { jobId, fence } = lease;
      expect(await one.session.report([{ jobId, fence, sequence: 1, kind: 'started' }])).toEqual(['stored']);
    });

    it('keeps leases when the session ends, and gives it no more', async () => {
      const one = workerOn(binding.workOf(me.deploymentId), me.deploymentId);
      const jobId = await submit();
      await one.next();
      one.session.offer(1);
      await one.session.close();
      expect((await viewOf(jobId)).status).toBe('running');
      const second = await submit();
      expect((await worker().next()).jobId).toBe(second);
      expect(one.leases).toHaveLength(1);
    });
  });
}
