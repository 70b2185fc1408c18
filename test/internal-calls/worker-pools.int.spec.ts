import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { defaultPoolOf, MANAGED_DEPLOYMENT_ID, newUuid, Secret, SELF_HOSTED_POOL } from '@heddle/contracts-messages';
import type { DeploymentId, JobId, Principal } from '@heddle/contracts-messages';
import { WorkerServiceService } from '@heddle/internal-api/worker-protocol';
import type { WorkRequest, WorkResponse } from '@heddle/internal-api/worker-protocol';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { jobsDatabase, openJobs, someAccount, submissionOf, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { RawWorker } from './raw-worker.js';
import { workerOn } from './work-port.suite.js';
import type { TestWorker } from './work-port.suite.js';
import { remoteWork, workServer } from './work-servers.js';
import type { WorkServer } from './work-servers.js';

const MANAGED = defaultPoolOf('managed')!;
const on = (deploymentId: DeploymentId): Principal => ({ ...someAccount(), deploymentId });

describe('the pools of workers', () => {
  let db: TestDatabase;
  let jobs: JobsUnderTest;
  /** Of the managed surface: tokens without a deployment are of the shared pool. */
  let server: WorkServer;
  let alpha: Principal;
  let beta: Principal;
  const workers: TestWorker[] = [];
  const raws: RawWorker[] = [];
  beforeAll(async () => {
    db = await jobsDatabase();
    jobs = await openJobs(db);
    server = await workServer(jobs.work, { defaultPool: MANAGED });
  });
  beforeEach(() => ([alpha, beta] = [someAccount(), someAccount()]));
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(({ session }) => session.close()));
    for (const one of raws) one.end();
    await Promise.all(raws.splice(0).map(({ over }) => over));
  });
  afterAll(async () => {
    await server.close();
    await jobs.close();
    await db.drop();
  });

  function raw(token: string, hello: object = {}, url = server.url): RawWorker {
    const one = new RawWorker(url, token).hello(hello);
    raws.push(one);
    return one;
  }
  function worker(deploymentId: DeploymentId, token = tokenOf('worker', deploymentId)): TestWorker {
    const one = workerOn(remoteWork([server.url], token), deploymentId);
    workers.push(one);
    return one;
  }
  async function submit(principal: Principal, changes: Parameters<typeof submissionOf>[0] = {}): Promise<JobId> {
    const answer = await jobs.jobs.submit(principal, submissionOf(changes));
    if (!answer.ok) throw new Error(answer.rejection.message);
    return answer.value.id;
  }
  async function cancel(principal: Principal, jobId: JobId): Promise<void> {
    await jobs.jobs.cancel(principal, jobId);
  }

  describe('a Hello that names another pool than its token', () => {
    const right = (deploymentId: string, revision = 0): string =>
      `by the token of the worker, it is deployment ${deploymentId}, revision ${revision}.`;

    it.each([
      ['no deployment', { deploymentId: '' }, status.INVALID_ARGUMENT, 'Hello must name the pool of the worker: '],
      ['null', { deploymentId: 'null' }, status.PERMISSION_DENIED, "Hello names another pool than the worker's: "],
      ['another one', { deploymentId: newUuid() }, status.PERMISSION_DENIED, 'Hello names another pool'],
      ['the shared pool', { deploymentId: MANAGED_DEPLOYMENT_ID }, status.PERMISSION_DENIED, 'Hello names another'],
      ['another revision', { revision: 2 }, status.PERMISSION_DENIED, 'Hello names another pool'],
      ['no revision', { revision: 0 }, status.PERMISSION_DENIED, 'Hello names another pool'],
    ])('(%s) is refused, with the right one', async (_, hello, code, begin) => {
      const token = tokenOf('worker', alpha.deploymentId, { rev: 3 });
      const refusal = await raw(token, hello).over;
      expect(refusal).toMatchObject({ code, details: expect.stringContaining(begin) as string });
      expect(refusal.details).toContain(right(alpha.deploymentId, 3));
    });

    it('is refused of a token without a deployment too, which is of the shared pool', async () => {
      for (const deploymentId of [alpha.deploymentId, SELF_HOSTED_POOL.deploymentId, '']) {
        const { details } = await raw(tokenOf('worker'), { deploymentId }).over;
        expect(details).toContain(right(MANAGED_DEPLOYMENT_ID));
      }
      await raw(tokenOf('worker'), { deploymentId: MANAGED_DEPLOYMENT_ID }).hears('welcome');
    });

    it('is refused where no token may do without a deployment', async () => {
      const dedicated = await workServer(jobs.work, { defaultPool: null });
      for (const protocolVersion of [1, 2]) {
        const { code, details } = await new RawWorker(dedicated.url, tokenOf('worker')).hello({ protocolVersion }).over;
        expect([code, details]).toEqual([7, expect.stringContaining('heddle service-token worker --deployment ID')]);
      }
      await dedicated.close();
    });

    it('is refused where the token names no id', async () => {
      const { code, details } = await raw(tokenOf('worker', 'alpha')).over;
      expect([code, details]).toEqual([7, expect.stringContaining('is not an id')]);
    });
  });

  it('keep the name of a worker of a deployment for that deployment', async () => {
    const workerId = `worker-1@${alpha.deploymentId}`;
    const hello = { workerId, deploymentId: MANAGED_DEPLOYMENT_ID };
    const { code, details } = await raw(tokenOf('worker'), hello).over;
    expect([code, details]).toEqual([3, expect.stringContaining('must not end with @ and an id')]);
  });

  it('take jobs of their own deployment alone, the shared pool included', async () => {
    const managed = on(MANAGED_DEPLOYMENT_ID);
    const pools = [alpha, beta, managed];
    // The order of waiting does not matter: workers first, then jobs first.
    const first = pools.map(({ deploymentId }) => worker(deploymentId));
    for (const one of first) one.session.offer(5);
    await Promise.all(first.map(({ session }) => session.heartbeat([])));
    const ids = await Promise.all(pools.map((principal) => submit(principal)));
    await until(() => Promise.resolve(first.every(({ leases }) => leases.length > 0)), 'a lease for each pool');
    for (const one of first) one.session.offer(0);
    await Promise.all(first.map(({ session }) => session.heartbeat([])));
    const later = await Promise.all(pools.map((principal) => submit(principal)));
    const second = pools.map(({ deploymentId }) => worker(deploymentId));
    await Promise.all(second.map(({ next }) => next()));
    pools.forEach(({ accountId, deploymentId }, at) => {
      expect(first[at]!.leases.map(({ jobId }) => jobId)).toEqual([ids[at]]);
      expect(second[at]!.leases).toMatchObject([{ jobId: later[at], accountId, deploymentId }]);
    });
  });

  it('leave a job waiting that has no worker of its deployment, with its credentials', async () => {
    const jobId = await submit(alpha, { credentials: { apiKey: new Secret('canary-1') } });
    const others = [beta.deploymentId, MANAGED_DEPLOYMENT_ID, SELF_HOSTED_POOL.deploymentId].map((id) => worker(id));
    for (const one of others) one.session.offer(5);
    // A job of theirs proves that the queue was read meanwhile.
    await submit(beta);
    await until(() => Promise.resolve(others[0]!.leases.length > 0), 'a lease of the other deployment');
    await Promise.all(others.map(({ session }) => session.heartbeat([])));
    expect(others.flatMap(({ leases }) => leases.map((lease) => lease.jobId))).not.toContain(jobId);
    const lease = await worker(alpha.deploymentId).next();
    expect([lease.jobId, lease.credentials?.apiKey?.reveal()]).toEqual([jobId, 'canary-1']);
  });

  it('find their jobs behind those of many accounts of another deployment', async () => {
    const others = Array.from({ length: 30 }, () => on(beta.deploymentId));
    const waiting = await Promise.all(others.map((principal) => submit(principal)));
    const jobId = await submit(alpha);
    expect((await worker(alpha.deploymentId).next()).jobId).toBe(jobId);
    await Promise.all(waiting.map((id, at) => cancel(others[at]!, id)));
  });

  it('keep a job from a worker of another pool even if a replica names the wrong deployment', async () => {
    const jobId = await submit(alpha);
    const other = worker(beta.deploymentId);
    other.session.offer(1);
    await other.session.heartbeat([]);
    const work = [{ jobId, deploymentId: beta.deploymentId, revision: 0 }];
    await jobs.peers.hint({ work, states: [], ended: [], commits: false, sequenced: false });
    await other.session.heartbeat([]);
    await submit(beta);
    await until(() => Promise.resolve(other.leases.length > 0), 'a lease');
    expect(other.leases.map((lease) => lease.jobId)).not.toContain(jobId);
    await cancel(alpha, jobId);
  });

  describe('of workers of the version before pools', () => {
    it('are those of their tokens', async () => {
      const old = { protocolVersion: 1, deploymentId: '', revision: 0 };
      const cases: readonly (readonly [string, Principal, number])[] = [
        [tokenOf('worker', alpha.deploymentId, { rev: 3 }), alpha, 3],
        [tokenOf('worker'), on(MANAGED_DEPLOYMENT_ID), 0],
      ];
      for (const [token, principal, revision] of cases) {
        const foreign = await submit(beta);
        const own = await submit(principal, { revision });
        const one = raw(token, old);
        expect((await one.hears('welcome')).value.protocolVersion).toBe(1);
        one.say({ $case: 'slots', value: { free: 5, received: 0 } });
        const { value } = await one.hears('leases');
        expect(value.leases.map(({ key }) => key?.jobId)).toEqual([own]);
        await cancel(beta, foreign);
      }
    });

    it('are served by this build, and this build works for services that know no pools', async () => {
      const hellos: WorkRequest[] = [];
      const old = await oldService(hellos);
      const one = workerOn(remoteWork([old.url], tokenOf('worker', alpha.deploymentId)), alpha.deploymentId);
      await one.session.heartbeat([]).catch(() => undefined);
      await until(() => Promise.resolve(hellos.length >= 2), 'the Hello of the older version');
      const versions = hellos.map(({ kind }) => (kind?.$case === 'hello' ? kind.value.protocolVersion : null));
      expect(versions.slice(0, 2)).toEqual([2, 1]);
      await one.session.close();
      old.close();
    });
  });
});

/** A service of the build before pools: it speaks version 1 alone. */
async function oldService(hellos: WorkRequest[]): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = new Server();
  server.addService(
    { work: WorkerServiceService.work },
    {
      work: (call: ServerDuplexStream<WorkRequest, WorkResponse>) => {
        call.on('data', (message: WorkRequest) => {
          if (message.kind?.$case !== 'hello') return;
          hellos.push(message);
          if (message.kind.value.protocolVersion === 1) {
            call.write({ kind: { $case: 'welcome', value: { protocolVersion: 1, states: [] } } });
          } else call.emit('error', { code: status.FAILED_PRECONDITION, details: 'this service speaks version 1' });
        });
        call.on('end', () => call.end());
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { url: `http://127.0.0.1:${port}`, close: () => server.forceShutdown() };
}
