import { RemoteJobs, RemoteLeases, serveJobs } from '@heddle/internal-api';
import type { JobsPort, LeasesPort, LeaseState, Principal, WorkerEvent } from '@heddle/contracts-messages';
import type { CallServer, ServiceClient } from '@heddle/platform-service-calls';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, listening, tokenOf } from './call-servers.js';
import { jobsDatabase, leaseRequest, openJobs, someAccount, submissionOf, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

const never = new AbortController().signal;

describe('leases over the wire', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let me: Principal;
  const servers: CallServer[] = [];
  const clients: ServiceClient[] = [];
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
  });
  beforeEach(() => (me = someAccount()));
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(servers.splice(0).map((server) => server.close(0)));
  });
  afterAll(async () => {
    await local.close();
    await db.drop();
  });

  async function served(leases: LeasesPort = local.leases, port = 0): Promise<CallServer> {
    const ports = { ...local, leases, peers: null, instanceId: 'one' };
    const server = await listening((routes) => serveJobs(routes, ports), { port, beatMs: 100 });
    servers.push(server);
    return server;
  }
  function remote(urls: readonly string[], token = tokenOf('worker')): RemoteLeases {
    const client = clientOf('jobs', urls, { token });
    clients.push(client);
    return new RemoteLeases(client);
  }
  function gateway(urls: readonly string[]): JobsPort {
    const client = clientOf('jobs', urls);
    clients.push(client);
    return new RemoteJobs(client);
  }
  async function statusOf(jobId: never): Promise<string> {
    const answer = await local.jobs.get(me, jobId);
    return answer.ok ? answer.value.status : answer.rejection.code;
  }

  it('are granted to a poll that waits, at once, with the workflow as it was submitted', async () => {
    const { url } = await served();
    const leases = remote([url]);
    const polling = leases.acquire(leaseRequest(me), never);
    const submission = submissionOf({ workflow: Buffer.from('{"é":1}') });
    await gateway([url]).submit(me, submission);
    const [lease] = await polling;
    expect(lease).toMatchObject({ jobId: submission.jobId, fence: 1, attempt: 1, credentials: null });
    expect(Buffer.from(lease!.workflow).toString()).toBe('{"é":1}');
    expect(await leases.heartbeat('worker-a', [lease!])).toEqual([{ jobId: lease!.jobId, fence: 1, state: 'held' }]);
    await leases.handBack('worker-a', lease!);
    expect(await statusOf(submission.jobId as never)).toBe('queued');
  });

  it('of a poll that ends without work are none', async () => {
    const { url } = await served();
    expect(await remote([url]).acquire(leaseRequest(me, { waitMs: 50 }), never)).toEqual([]);
    expect(await remote([url]).acquire(leaseRequest(me, { slots: 0 }), never)).toEqual([]);
  });

  it('that were granted while the worker hung up still reach it', async () => {
    const hangUp = new AbortController();
    const slow: LeasesPort = {
      ...portOf(local.leases),
      acquire: async (request, signal) => {
        const found = await local.leases.acquire(request, never);
        // Granted, and the worker hangs up before it hears of it.
        hangUp.abort();
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return found;
      },
    };
    const { url } = await served(slow);
    await local.jobs.submit(me, submissionOf());
    expect(await remote([url]).acquire(leaseRequest(me), hangUp.signal)).toHaveLength(1);
  });

  it('end a poll without any when its worker hangs up', async () => {
    const { url } = await served();
    const hangUp = new AbortController();
    const polling = remote([url]).acquire(leaseRequest(me, { waitMs: 20_000 }), hangUp.signal);
    setImmediate(() => hangUp.abort());
    expect(await polling).toEqual([]);
  });

  it('of a worker that died while it waited are given back at once', async () => {
    const { url } = await served();
    const client = clientOf('jobs', [url], { token: tokenOf('worker') });
    const polling = new RemoteLeases(client)
      .acquire(leaseRequest(me, { waitMs: 20_000 }), never)
      .catch(() => undefined);
    const other = remote([url]);
    // Two answers on the same server: the poll of the first is there by then.
    await other.heartbeat('worker-b', []);
    await client.close();
    await polling;
    const submission = submissionOf();
    await gateway([url]).submit(me, submission);
    const [lease] = await other.acquire(leaseRequest(me, { workerId: 'worker-b' }), never);
    expect(lease?.jobId).toBe(submission.jobId);
  });

  it('go on with another replica when the one that is polled dies', async () => {
    const [first, second] = [await served(), await served()];
    const leases = remote([first.url, second.url]);
    const polling = leases.acquire(leaseRequest(me, { waitMs: 20_000 }), never);
    const broken = expect(polling).rejects.toThrow(/did not answer/);
    await Promise.race([first.close(0), second.close(0)]);
    await Promise.all(servers.splice(0).map((server) => server.close(0)));
    await broken;
    const third = await served();
    const fourth = await served();
    const again = remote([third.url, fourth.url]);
    const waiting = again.acquire(leaseRequest(me, { waitMs: 20_000 }), never);
    await again.heartbeat('worker-a', []);
    await third.close(0);
    const submission = submissionOf();
    await local.jobs.submit(me, submission);
    expect((await waiting)[0]?.jobId).toBe(submission.jobId);
  });

  it('are taken back with a word to the worker, again after the stream broke', async () => {
    const server = await served();
    const { url } = server;
    const leases = remote([url]);
    const states: LeaseState[] = [];
    const unwatch = leases.watch('worker-a', (state) => states.push(state));
    const canceled = async (): Promise<LeaseState> => {
      await local.jobs.submit(me, submissionOf());
      const [lease] = await leases.acquire(leaseRequest(me), never);
      await local.jobs.cancel(me, lease!.jobId);
      return { jobId: lease!.jobId, fence: lease!.fence, state: 'cancel_requested' };
    };
    const first = await canceled();
    // A stream that was opened meanwhile may tell it a second time.
    await until(() => Promise.resolve(states.length > 0), 'the word of the cancel');
    expect(states[0]).toEqual(first);

    await local.jobs.submit(me, submissionOf());
    const [lease] = await leases.acquire(leaseRequest(me), never);
    await server.close(0);
    // Nobody listens: what is told now is made up for when the stream is open again.
    await local.jobs.cancel(me, lease!.jobId);
    await served(local.leases, Number(new URL(url).port));
    const second = { jobId: lease!.jobId, fence: lease!.fence, state: 'cancel_requested' };
    const heard = (): boolean => states.some(({ jobId }) => jobId === second.jobId);
    await until(() => Promise.resolve(heard()), 'the word of the second cancel');
    expect(states).toContainEqual(second);
    unwatch();
  });

  it('end with what the worker reports; an outcome that comes too early is told as such', async () => {
    const { url } = await served();
    const leases = remote([url]);
    await local.jobs.submit(me, submissionOf());
    const [lease] = await leases.acquire(leaseRequest(me), never);
    const { jobId, fence, accountId, deploymentId } = lease!;
    const head = { jobId, fence, accountId, deploymentId, workerId: 'worker-a' };
    const progress = { value: 1, nodesDone: 1, nodesTotal: 1, currentNode: null, currentNodeClass: null };
    const outcome = {
      ...head,
      kind: 'outcome',
      sequence: 1,
      outcome: { kind: 'succeeded' },
      progress: { ...progress, step: null, steps: null, message: null },
    } as WorkerEvent;
    await expect(leases.ingest([{ ...outcome, outputKeys: ['9/0/0'] } as WorkerEvent])).rejects.toMatchObject({
      name: 'CallFailedError',
      code: 'OutcomeTooEarly',
    });
    await leases.ingest([outcome]);
    await leases.ingest([outcome]);
    expect(await statusOf(jobId as never)).toBe('succeeded');
  });

  it('of one deployment are out of reach for a token of another', async () => {
    const { url } = await served();
    const own = remote([url], tokenOf('worker', me.deploymentId));
    const other = remote([url], tokenOf('worker', someAccount().deploymentId));
    await local.jobs.submit(me, submissionOf());
    await expect(other.acquire(leaseRequest(me), never)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(`not for ${me.deploymentId}`) as string,
    });
    const anything = leaseRequest({ ...me, deploymentId: null as never }, { waitMs: 100 });
    expect(await other.acquire(anything, never)).toEqual([]);
    const [lease] = await own.acquire({ ...anything, waitMs: 5_000 }, never);
    expect(lease?.deploymentId).toBe(me.deploymentId);
    // Even under the same name: it is not its lease.
    expect(await other.heartbeat('worker-a', [lease!])).toMatchObject([{ state: 'lost' }]);
    await other.handBack('worker-a', lease!);
    expect(await own.heartbeat('worker-a', [lease!])).toMatchObject([{ state: 'held' }]);
    const event = { ...lease!, kind: 'outcome', workerId: 'worker-a', sequence: 1 } as unknown as WorkerEvent;
    await expect(other.ingest([event])).rejects.toMatchObject({ status: 403 });
    await expect(gateway([url]).get(me, lease!.jobId)).resolves.toMatchObject({ ok: true });
    await expect(remote([url], tokenOf('gateway')).heartbeat('worker-a', [lease!])).rejects.toMatchObject({
      status: 403,
    });
    const worker = clientOf('jobs', [url], { token: tokenOf('worker') });
    clients.push(worker);
    await expect(new RemoteJobs(worker).get(me, lease!.jobId)).rejects.toMatchObject({ status: 403 });
  });
});

/** The port's methods as an object that a test can lay its own over. */
function portOf(leases: LeasesPort): LeasesPort {
  return {
    acquire: (request, signal) => leases.acquire(request, signal),
    heartbeat: (workerId, keys) => leases.heartbeat(workerId, keys),
    watch: (workerId, listener) => leases.watch(workerId, listener),
    handBack: (workerId, lease) => leases.handBack(workerId, lease),
    ingest: (events) => leases.ingest(events),
  };
}
