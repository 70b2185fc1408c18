import { readFileSync } from 'node:fs';
import { credentials } from '@grpc/grpc-js';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLease, JobView, Principal, ServedWorkPort } from '@heddle/contracts-messages';
import { callMetadata } from '@heddle/platform-service-calls/grpc-channel';
import { FaultProxy } from '@heddle/testing-cluster';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WorkerServiceClient } from '@heddle/internal-api/worker-protocol';
import type { WorkRequest, WorkResponse } from '@heddle/internal-api/worker-protocol';
import { tokenOf } from './call-servers.js';
import { jobsDatabase, openJobs, someAccount, submissionOf, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { nodeOf, outcomeOf, workerOn } from './work-port.suite.js';
import type { TestWorker } from './work-port.suite.js';
import { remoteWork, workServer } from './work-servers.js';
import type { WorkServer } from './work-servers.js';

type Message = NonNullable<WorkRequest['kind']>;

/** A worker that speaks the protocol by hand. */
class RawWorker {
  readonly heard: WorkResponse[] = [];
  readonly over: Promise<{ readonly code: number; readonly details: string }>;
  readonly #call: ReturnType<WorkerServiceClient['work']>;

  constructor(url: string, token: string) {
    const client = new WorkerServiceClient(new URL(url).host, credentials.createInsecure());
    this.#call = client.work(callMetadata(token));
    this.#call.on('data', (message: WorkResponse) => this.heard.push(message));
    this.#call.on('error', () => undefined);
    this.over = new Promise<{ code: number; details: string }>((resolve) => {
      this.#call.once('status', ({ code, details }) => resolve({ code, details }));
    }).finally(() => client.close());
  }

  say(kind: Message): void {
    this.#call.write({ kind });
  }

  hello(changes: object = {}): this {
    const value = { protocolVersion: 1, workerId: `raw-${newUuid()}`, environment: 'raw/1', held: [], ...changes };
    this.say({ $case: 'hello', value });
    return this;
  }

  async hears<Case extends NonNullable<WorkResponse['kind']>['$case']>(kind: Case) {
    const found = () => this.heard.map((message) => message.kind).find((one) => one?.$case === kind);
    await until(() => Promise.resolve(found() !== undefined), `the message ${kind}`);
    return found() as Extract<NonNullable<WorkResponse['kind']>, { $case: Case }>;
  }

  end(): void {
    this.#call.end();
  }
}

describe('the worker protocol', () => {
  let db: TestDatabase;
  let jobs: JobsUnderTest;
  let server: WorkServer;
  let me: Principal;
  const servers: WorkServer[] = [];
  const proxies: FaultProxy[] = [];
  const workers: TestWorker[] = [];
  beforeAll(async () => {
    db = await jobsDatabase();
    jobs = await openJobs(db);
  });
  beforeEach(async () => {
    me = someAccount();
    server = await served();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(({ session }) => session.close()));
    await Promise.all(servers.splice(0).map((one) => one.close()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  });
  afterAll(async () => {
    await jobs.close();
    await db.drop();
  });

  async function served(work: ServedWorkPort = jobs.work, port?: number): Promise<WorkServer> {
    const one = await workServer(work, { port });
    servers.push(one);
    return one;
  }
  /** A line to a server that a test can freeze and cut. */
  async function lineTo({ port }: WorkServer): Promise<{ readonly proxy: FaultProxy; readonly url: string }> {
    const proxy = new FaultProxy();
    proxies.push(proxy);
    proxy.target = port;
    return { proxy, url: `http://127.0.0.1:${await proxy.listen()}` };
  }
  function worker(urls: readonly string[], token?: string, workerId?: string): TestWorker {
    const one = workerOn(remoteWork(urls, token), workerId);
    workers.push(one);
    return one;
  }
  async function submit(): Promise<JobId> {
    const answer = await jobs.jobs.submit(me, submissionOf());
    if (!answer.ok) throw new Error(answer.rejection.message);
    return answer.value.id;
  }
  async function viewOf(jobId: JobId): Promise<JobView> {
    const answer = await jobs.jobs.get(me, jobId);
    if (!answer.ok) throw new Error(answer.rejection.message);
    return answer.value;
  }

  describe('refuses', () => {
    it('a version that nobody speaks, and names both', async () => {
      const { code, details } = await new RawWorker(server.url, tokenOf('worker')).hello({ protocolVersion: 7 }).over;
      expect([code, details]).toEqual([
        9,
        'The worker speaks version 7 of the worker protocol, this service speaks version 1.',
      ]);
    });

    it('who is no worker, and who has no token that it can verify', async () => {
      const gateway = await new RawWorker(server.url, tokenOf('gateway')).hello().over;
      expect(gateway).toMatchObject({ code: 7, details: expect.stringContaining('allowed: worker') as string });
      for (const token of ['a.b.c', '', tokenOf('worker', null, -1)]) {
        expect((await new RawWorker(server.url, token).hello().over).code).toBe(16);
      }
    });

    it('a worker that does not say who it is', async () => {
      const silent = new RawWorker(server.url, tokenOf('worker'));
      silent.say({ $case: 'slots', value: { free: 1, received: 0 } });
      expect((await silent.over).code).toBe(3);
      for (const changes of [
        { workerId: '' },
        { environment: 'x'.repeat(201) },
        { workerId: 'x'.repeat(151) },
        { workerId: 'a\nb' },
      ]) {
        expect((await new RawWorker(server.url, tokenOf('worker')).hello(changes).over).code).toBe(3);
      }
    });

    it('what it cannot read, one by one, and goes on', async () => {
      const jobId = await submit();
      const raw = new RawWorker(server.url, tokenOf('worker', me.deploymentId)).hello();
      raw.say({ $case: 'slots', value: { free: 1, received: 0 } });
      const { key } = (await raw.hears('leases')).value.leases[0]!;
      const progress = { value: 1, nodesDone: 1, nodesTotal: 1 } as never;
      raw.say(undefined as never);
      raw.say({
        $case: 'reports',
        value: {
          reports: [
            { lease: key, sequence: 1, body: undefined },
            { lease: key, sequence: 2, body: { $case: 'outcome', value: { result: undefined, progress } } },
            { lease: undefined, sequence: 3, body: { $case: 'started', value: {} } },
            { lease: key, sequence: 4, body: { $case: 'logCaptured', value: { sizeBytes: 1, truncated: false } } },
          ],
        },
      });
      const answers = () =>
        raw.heard.flatMap(({ kind }) => (kind?.$case === 'acknowledgements' ? kind.value.acknowledgements : []));
      await until(() => Promise.resolve(answers().length === 4), 'every acknowledgement');
      const verdicts = new Map(answers().map(({ sequence, verdict, reason }) => [sequence, [verdict, reason]]));
      expect([1, 2, 3, 4].map((sequence) => verdicts.get(sequence))).toEqual([
        [2, 'unknown_kind'],
        [2, 'malformed'],
        [2, 'malformed'],
        [1, ''],
      ]);
      expect(server.refused).toEqual(['unknown_kind', 'unknown_kind', 'malformed']);
      expect((await viewOf(jobId)).status).toBe('running');
      raw.end();
      expect((await raw.over).code).toBe(0);
    });
  });

  it('leases to a bound worker whose name is as long as a name may be', async () => {
    const raw = new RawWorker(server.url, tokenOf('worker', me.deploymentId)).hello({ workerId: 'x'.repeat(150) });
    await submit();
    raw.say({ $case: 'slots', value: { free: 1, received: 0 } });
    expect((await raw.hears('leases')).value.leases).toHaveLength(1);
    raw.end();
    await raw.over;
  });

  it('lets no worker of another deployment end, read or hand back a job, even with every id known', async () => {
    const own = worker([server.url], tokenOf('worker', me.deploymentId), 'worker-1');
    const jobId = await submit();
    const lease = await own.next();
    const other = tokenOf('worker', someAccount().deploymentId);
    // The same name, and the name as the rows have it.
    for (const workerId of ['worker-1', `worker-1@${me.deploymentId}`]) {
      const thief = worker([server.url], other, workerId);
      expect(await thief.session.heartbeat([lease])).toMatchObject([{ state: 'lost' }]);
      expect(await thief.session.report([nodeOf(lease, 1), outcomeOf(lease, 2)])).toEqual([
        'stale_fence',
        'stale_fence',
      ]);
      await thief.session.handBack(lease);
      thief.session.offer(5);
      await thief.session.heartbeat([]);
      expect(thief.leases).toEqual([]);
      await thief.session.close();
    }
    // A hello that claims the lease, or leaves it out, moves nothing either.
    for (const held of [[{ jobId, fence: lease.fence }], []]) {
      const raw = new RawWorker(server.url, other).hello({ workerId: `worker-1@${me.deploymentId}`, held });
      const { value } = await raw.hears('welcome');
      expect(value.states.map(({ state }) => state)).toEqual(held.map(() => 3));
      raw.end();
      await raw.over;
    }
    expect(await viewOf(jobId)).toMatchObject({ status: 'running', version: 2 });
    expect(await own.session.report([outcomeOf(lease)])).toEqual(['stored']);
  });

  it('is spoken over TLS both ways with the settings of the other calls', async () => {
    const folder = '../../libs/platform/service-calls/test-certificates';
    const pem = (name: string): string => readFileSync(new URL(`${folder}/${name}`, import.meta.url), 'utf8');
    const secure = await workServer(jobs.work, {
      tls: { key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt') },
    });
    servers.push(secure);
    const token = tokenOf('worker', me.deploymentId);
    const own = { key: pem('client.key'), cert: pem('client.crt'), ca: pem('ca.crt') };
    const one = workerOn(remoteWork([secure.url], token, own));
    workers.push(one);
    const jobId = await submit();
    expect((await one.next()).jobId).toBe(jobId);
    // Without a certificate of its own nobody is heard.
    const stranger = remoteWork([secure.url], token, { ca: pem('ca.crt') });
    workers.push(workerOn(stranger));
    await until(() => Promise.resolve(stranger.missing?.includes('UNAVAILABLE') === true), 'the refusal');
  });

  it('goes on over a line that is cut: held leases stay, reports are sent again, each is stored once', async () => {
    const { proxy, url } = await lineTo(server);
    const one = worker([url], tokenOf('worker', me.deploymentId));
    const jobId = await submit();
    const lease = await one.next();
    proxy.set({ kind: 'black-hole' });
    const reporting = one.session.report([nodeOf(lease, 1), outcomeOf(lease, 2)]);
    proxy.cut();
    proxy.set(null);
    expect(await reporting).toEqual(['stored', 'stored']);
    expect((await viewOf(jobId)).version).toBe(4);
  });

  it('hears after a break what was told while nobody listened', async () => {
    const { proxy, url } = await lineTo(server);
    const one = worker([url], tokenOf('worker', me.deploymentId));
    const jobId = await submit();
    await one.next();
    proxy.target = 1;
    proxy.cut();
    await jobs.jobs.cancel(me, jobId);
    proxy.target = server.port;
    await until(() => Promise.resolve(one.states.some(({ state }) => state === 'cancel_requested')), 'the cancel');
  });

  it('goes on with another replica when the one that it speaks to dies', async () => {
    const second = await served();
    const one = worker([server.url, second.url], tokenOf('worker', me.deploymentId));
    const jobId = await submit();
    const lease = await one.next();
    const [alive] = [server, second].filter(({ streams }) => streams.size === 0);
    await [server, second].find((replica) => replica !== alive)!.close();
    expect(await one.session.report([outcomeOf(lease)])).toEqual(['stored']);
    expect((await viewOf(jobId)).status).toBe('succeeded');
    expect(alive!.streams.size).toBe(1);
  });

  it('hands a lease back at once that never reached its worker', async () => {
    const { proxy, url } = await lineTo(server);
    const one = worker([url], tokenOf('worker', me.deploymentId));
    one.session.offer(1);
    await one.session.heartbeat([]);
    // What the service writes now is lost on the way.
    proxy.set({ kind: 'black-hole' });
    const jobId = await submit();
    await until(async () => (await viewOf(jobId)).status === 'running', 'the lease');
    proxy.cut();
    proxy.set(null);
    await until(() => Promise.resolve(one.leases.length === 1), 'the lease, once more');
    expect(one.leases[0]).toMatchObject({ jobId, attempt: 1, fence: 2 });
  });

  it('has one stream for each worker: the newest', async () => {
    const names = { workerId: 'twice' };
    const first = new RawWorker(server.url, tokenOf('worker')).hello(names);
    await first.hears('welcome');
    const second = new RawWorker(server.url, tokenOf('worker')).hello(names);
    await second.hears('welcome');
    expect((await first.over).code).toBe(0);
    expect(server.streams.size).toBe(1);
    second.end();
    await second.over;
  });

  it('asks for a report again that could not be stored now', async () => {
    let fails = true;
    const work: ServedWorkPort = {
      handBackOthers: (...all) => jobs.work.handBackOthers(...all),
      open: (identity, listener) => {
        const session = jobs.work.open(identity, listener);
        return {
          offer: (slots) => session.offer(slots),
          heartbeat: (leases) => session.heartbeat(leases),
          report: async (reports) => {
            if (fails) throw new Error('the database is away');
            return await session.report(reports);
          },
          show: (report) => session.show(report),
          handBack: (lease) => session.handBack(lease),
          close: () => session.close(),
        };
      },
    };
    const unsteady = await served(work);
    const one = worker([unsteady.url], tokenOf('worker', me.deploymentId));
    await submit();
    const lease: JobLease = await one.next();
    await expect(one.session.report([outcomeOf(lease)])).rejects.toThrow('cannot store');
    fails = false;
    expect(await one.session.report([outcomeOf(lease)])).toEqual(['stored']);
  });
});
