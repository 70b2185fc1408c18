import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLease, JobView, Principal, ServedWorkPort, WorkSession } from '@heddle/contracts-messages';
import { RenewableTls } from '@heddle/platform-service-calls';
import { FaultProxy } from '@heddle/testing-cluster';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { jobsDatabase, openJobs, someAccount, submissionOf, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { RawWorker } from './raw-worker.js';
import { nodeOf, outcomeOf, workerOn } from './work-port.suite.js';
import type { TestWorker } from './work-port.suite.js';
import { remoteWork, workServer } from './work-servers.js';
import type { WorkServer } from './work-servers.js';

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
  /** A proxy to a server that a test can freeze and cut. */
  async function lineTo({ port }: WorkServer): Promise<{ readonly proxy: FaultProxy; readonly url: string }> {
    const proxy = new FaultProxy();
    proxies.push(proxy);
    proxy.target = port;
    return { proxy, url: `http://127.0.0.1:${await proxy.listen()}` };
  }
  function worker(urls: readonly string[], deploymentId = me.deploymentId, workerId?: string): TestWorker {
    const one = workerOn(remoteWork(urls, tokenOf('worker', deploymentId)), deploymentId, workerId);
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

  /** The jobs service with changed sessions. */
  function workWith(changes: (session: WorkSession) => Partial<WorkSession>): ServedWorkPort {
    return {
      handBackOthers: (...all) => jobs.work.handBackOthers(...all),
      open: (identity, listener) => {
        const session = jobs.work.open(identity, listener);
        return {
          offer: (slots) => session.offer(slots),
          heartbeat: (leases) => session.heartbeat(leases),
          report: (reports) => session.report(reports),
          show: (report) => session.show(report),
          handBack: (lease) => session.handBack(lease),
          close: () => session.close(),
          ...changes(session),
        };
      },
    };
  }

  describe('refuses', () => {
    it('a version that nobody speaks, and names both', async () => {
      const { code, details } = await new RawWorker(server.url, tokenOf('worker')).hello({ protocolVersion: 7 }).over;
      expect([code, details]).toEqual([
        9,
        'The worker speaks version 7 of the worker protocol, this service speaks version 2.',
      ]);
    });

    it('who is no worker, and who has no token that it can verify', async () => {
      const gateway = await new RawWorker(server.url, tokenOf('gateway')).hello().over;
      expect(gateway).toMatchObject({ code: 7, details: expect.stringContaining('allowed: worker') as string });
      for (const token of ['a.b.c', '', tokenOf('worker', null, { exp: Math.floor(Date.now() / 1_000) - 60 })]) {
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

  describe('bounds what one worker costs', () => {
    const nobody = { jobId: newUuid(), fence: 1 };

    it('ends the stream at a message with too many reports, and answers others meanwhile', async () => {
      const other = worker([server.url]);
      await other.session.heartbeat([]);
      const raw = new RawWorker(server.url, tokenOf('worker')).hello();
      await raw.hears('welcome');
      const empty = { lease: undefined, sequence: 0, body: undefined };
      raw.say({ $case: 'reports', value: { reports: Array.from({ length: 100_000 }, () => empty) } });
      const { code, details } = await raw.over;
      const before = performance.now();
      await other.session.heartbeat([]);
      expect(performance.now() - before).toBeLessThan(1_000);
      expect([code, details]).toEqual([8, 'A message of a worker holds at most 1000 reports.']);
      expect(raw.heard.map(({ kind }) => kind?.$case)).toEqual(['welcome']);
      expect(server.refused).toEqual(['too_large']);
    });

    it('ends the stream at a message with too many leases, Hello included', async () => {
      const leases = Array.from({ length: 4_097 }, () => nobody);
      const expected = { code: 8, details: 'A message of a worker holds at most 4096 leases.' };
      expect(await new RawWorker(server.url, tokenOf('worker')).hello({ held: leases }).over).toEqual(expected);
      const raw = new RawWorker(server.url, tokenOf('worker')).hello();
      raw.say({ $case: 'heartbeat', value: { sequence: 1, leases: leases.slice(1) } });
      await raw.hears('leaseStates');
      raw.say({ $case: 'heartbeat', value: { sequence: 2, leases } });
      expect(await raw.over).toEqual(expected);
    });

    it('ends a stream without a Hello', async () => {
      const hasty = await workServer(jobs.work, { bounds: { helloMs: 50 } });
      servers.push(hasty);
      const silent = new RawWorker(hasty.url, tokenOf('worker'));
      expect(await silent.over).toEqual({ code: 4, details: 'The worker sent no Hello within 0.05 s.' });
      await until(() => Promise.resolve(hasty.streams.size === 0), 'the end of the stream');
    });

    it('gives one deployment no more than its streams', async () => {
      const narrow = await workServer(jobs.work, { bounds: { streamsOfDeployment: 2 } });
      servers.push(narrow);
      const token = tokenOf('worker', me.deploymentId);
      const own = [0, 1].map(() => new RawWorker(narrow.url, token).hello());
      await Promise.all(own.map((one) => one.hears('welcome')));
      const { code, details } = await new RawWorker(narrow.url, token).hello().over;
      expect([code, details]).toEqual([8, 'This replica serves 2 workers of the deployment already.']);
      const other = new RawWorker(narrow.url, tokenOf('worker', someAccount().deploymentId)).hello();
      await other.hears('welcome');
      own[0]!.end();
      await own[0]!.over;
      await until(() => Promise.resolve(narrow.streams.size === 2), 'the end of the stream');
      const next = new RawWorker(narrow.url, token).hello();
      await next.hears('welcome');
      for (const one of [own[1]!, other, next]) one.end();
      await Promise.all([own[1]!, other, next].map(({ over }) => over));
    });

    it('ends the stream of a worker that leaves too many bytes unread', async () => {
      const told = await served(
        workWith(() => ({
          heartbeat: (leases) => Promise.resolve(leases.map((lease) => ({ ...lease, state: 'lost' as const }))),
        })),
      );
      const raw = new RawWorker(told.url, tokenOf('worker')).hello();
      await raw.hears('welcome');
      raw.deafen();
      const leases = Array.from({ length: 4_000 }, () => nobody);
      // Messages of 190 kB, far below the limit on their number.
      for (let sequence = 1; sequence <= 200; sequence += 1)
        raw.say({ $case: 'heartbeat', value: { sequence, leases } });
      await until(() => Promise.resolve(told.streams.size === 0), 'the end of the stream');
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
    const own = worker([server.url], me.deploymentId, 'worker-1');
    const jobId = await submit();
    const lease = await own.next();
    const other = someAccount().deploymentId;
    // The same name, and the stored name with its deployment.
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
    // A Hello with or without the lease changes nothing either.
    for (const held of [[{ jobId, fence: lease.fence }], []]) {
      const raw = new RawWorker(server.url, tokenOf('worker', other)).hello({
        workerId: `worker-1@${me.deploymentId}`,
        held,
      });
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
    const tls = new RenewableTls({ key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt') });
    const secure = await workServer(jobs.work, { tls });
    servers.push(secure);
    const token = tokenOf('worker', me.deploymentId);
    const own = { key: pem('client.key'), cert: pem('client.crt'), ca: pem('ca.crt') };
    const one = workerOn(remoteWork([secure.url], token, new RenewableTls(own)), me.deploymentId);
    workers.push(one);
    const jobId = await submit();
    expect((await one.next()).jobId).toBe(jobId);
    // A caller without a client certificate is refused.
    const stranger = remoteWork([secure.url], token, new RenewableTls({ ca: pem('ca.crt') }));
    workers.push(workerOn(stranger, me.deploymentId));
    await until(() => Promise.resolve(stranger.missing?.includes('UNAVAILABLE') === true), 'the refusal');
    // A renewed certificate is shown to new connections.
    for (const shown of ['server.crt', 'client.crt']) {
      const socket = connect({ ...own, port: secure.port, host: '127.0.0.1', checkServerIdentity: () => undefined });
      await once(socket, 'secureConnect');
      expect(socket.getPeerX509Certificate()?.toString()).toBe(new X509Certificate(pem(shown)).toString());
      socket.destroy();
      tls.renew(own);
    }
  });

  it('goes on over a line that is cut: held leases stay, reports are sent again, each is stored once', async () => {
    const { proxy, url } = await lineTo(server);
    const one = worker([url]);
    const jobId = await submit();
    const lease = await one.next();
    proxy.set({ kind: 'black-hole' });
    const reporting = one.session.report([nodeOf(lease, 1), outcomeOf(lease, 2)]);
    proxy.cut();
    proxy.set(null);
    expect(await reporting).toEqual(['stored', 'stored']);
    expect((await viewOf(jobId)).version).toBe(4);
  });

  it('receives after a break what was sent while nobody listened', async () => {
    const { proxy, url } = await lineTo(server);
    const one = worker([url]);
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
    const one = worker([server.url, second.url]);
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
    const one = worker([url]);
    one.session.offer(1);
    await one.session.heartbeat([]);
    // From now on, the service's messages are lost.
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
    const work = workWith((session) => ({
      report: async (reports) => {
        if (fails) throw new Error('the database is away');
        return await session.report(reports);
      },
    }));
    const unsteady = await served(work);
    const one = worker([unsteady.url]);
    await submit();
    const lease: JobLease = await one.next();
    await expect(one.session.report([outcomeOf(lease)])).rejects.toThrow('cannot store');
    fails = false;
    expect(await one.session.report([outcomeOf(lease)])).toEqual(['stored']);
  });
});
