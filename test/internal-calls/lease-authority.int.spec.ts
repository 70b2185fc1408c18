import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { RemoteAssets, RemoteLeaseAuthority, RemoteLogs, RemoteWorkerAssets } from '@heddle/internal-api';
import { assetBytes, servedAssets, servedJobs, servedLogs, workerAssetBytes } from '@heddle/internal-api/serve';
import type { BytesClient } from '@heddle/platform-service-calls/bytes';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { LOGS_PORT, newUuid } from '@heddle/contracts-messages';
import type {
  AssetId,
  JobId,
  JobLease,
  LeaseAuthorityPort,
  LogsPort,
  Principal,
  WorkerLease,
} from '@heddle/contracts-messages';
import { LOGS_MIGRATIONS, LogsModule } from '@heddle/logs';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake } from '@heddle/testing-jobs';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { assetsDatabase, MULTIPART, multipartFrame, openAssets } from './assets-under-test.js';
import { tokenOf } from './call-servers.js';
import { bytesTo, channelTo, servingCalls } from './grpc-servers.js';
import { handBack, jobsDatabase, leasedBy, openJobs, someAccount, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { describeRefusals } from './refused-calls.suite.js';

const [, authorityCalls] = servedJobs({} as Parameters<typeof servedJobs>[0]);
describeRefusals('the lease authority', authorityCalls!);

const AGAIN = { timeout: 10_000, interval: 250 };

/** Jobs, assets and logs services as in a cluster, with workers of two deployments */
describe('a worker of one deployment that knows every id of another', () => {
  const victim = someAccount();
  const thief = someAccount();
  const clients: (BytesClient | ServiceChannel)[] = [];
  const databases: TestDatabase[] = [];
  const ends: (() => Promise<void>)[] = [];
  let jobs: JobsUnderTest;
  let jobsServer: ServedCalls;
  let authority: LeaseAuthorityPort;
  let assetsUrl: string;
  let logsUrl: string;
  let logs: LogsPort;

  beforeAll(async () => {
    const logsDatabase = await freshDatabase({ migrations: [LOGS_MIGRATIONS] });
    const [jobsDb, assetsDb] = [await jobsDatabase(), await assetsDatabase()];
    databases.push(logsDatabase, jobsDb, assetsDb);
    jobs = await openJobs(jobsDb);
    ends.push(() => jobs.close());
    jobsServer = await servingCalls(servedJobs(jobs));
    ends.push(() => jobsServer.close());
    authority = new RemoteLeaseAuthority(channelOf('jobs', jobsServer.url, tokenOf('assets')));
    const assets = await openAssets(assetsDb, {}, authority);
    ends.push(() => assets.end());
    const bytes = [...assetBytes(assets.assets), ...workerAssetBytes(assets.workerAssets)];
    const assetsServer = await servingCalls(servedAssets(assets.assets), { bytes });
    ends.push(() => assetsServer.close());
    assetsUrl = assetsServer.url;
    const leaseAuthority = new RemoteLeaseAuthority(channelOf('jobs', jobsServer.url, tokenOf('logs')));
    const module = LogsModule.register({
      database: logsDatabase.database,
      imports: [jobsServiceFake(undefined, leaseAuthority)],
    });
    const context = await NestFactory.createApplicationContext(module, { logger: false });
    ends.push(() => context.close());
    logs = context.get<LogsPort>(LOGS_PORT);
    const logsServer = await servingCalls(servedLogs(logs));
    ends.push(() => logsServer.close());
    logsUrl = logsServer.url;
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    for (const end of ends) await end();
    for (const database of databases) await database.drop();
  });

  function clientTo(service: string, url: string, token: string): BytesClient {
    const client = bytesTo(service, [url], { token });
    clients.push(client);
    return client;
  }
  function channelOf(service: string, url: string, token: string): ServiceChannel {
    const channel = channelTo(service, [url], { token });
    clients.push(channel);
    return channel;
  }
  const workerOf = ({ deploymentId }: Principal): RemoteWorkerAssets =>
    new RemoteWorkerAssets(clientTo('assets', assetsUrl, tokenOf('worker', deploymentId)));
  const loggingWorkerOf = ({ deploymentId }: Principal): RemoteLogs =>
    new RemoteLogs(channelOf('logs', logsUrl, tokenOf('worker', deploymentId)));

  const gatewayOf = (): RemoteAssets => {
    const token = tokenOf('gateway');
    return new RemoteAssets(channelOf('assets', assetsUrl, token), clientTo('assets', assetsUrl, token));
  };

  async function uploaded(principal: Principal, text: string): Promise<AssetId> {
    const { head, tail } = multipartFrame({ content_type: 'image/png', file_path: `${newUuid()}.png` });
    const body = Readable.from([head, Buffer.from(text), tail]);
    const gateway = gatewayOf();
    const answer = await gateway.upload(principal, { contentType: MULTIPART, idempotencyKey: null, body });
    if (!answer.ok) throw new Error(answer.rejection.message);
    return answer.value.asset.id;
  }

  /** Starts a job with a held input on the worker `worker-a` of the account's deployment. */
  async function runningJob(principal: Principal): Promise<{ lease: JobLease; assetId: AssetId }> {
    const assetId = await uploaded(principal, `input of ${principal.accountId}`);
    const jobId = newUuid() as JobId;
    const gateway = gatewayOf();
    const inputs = await gateway.hold(principal, jobId, { ids: [assetId], names: [] });
    if (!inputs.ok) throw new Error(inputs.rejection.message);
    await jobs.jobs.submit(principal, submissionOf({ jobId, inputs: inputs.value }));
    const workerId = `worker-a@${principal.deploymentId}`;
    const lease = await leasedBy(jobs.work, principal, workerId);
    return { lease: { ...lease, workerId: 'worker-a' }, assetId };
  }
  const output = (text = 'an output') => ({
    key: '9/0/0',
    name: 'out.png',
    type: 'image' as const,
    contentType: 'image/png',
    body: Readable.from([Buffer.from(text)]),
  });
  const log = (lease: WorkerLease) => ({
    ...lease,
    text: 'a log',
    truncated: false,
    complete: true,
    endedAs: 'succeeded' as const,
  });
  const isRefused = { name: 'CallRefusedError', status: 403, code: 'lease_refused' };

  /** Expects a refusal of every call that a worker makes for its lease. */
  async function expectRefused(principal: Principal, lease: WorkerLease, assetId: AssetId): Promise<void> {
    await expect(workerOf(principal).openInput(lease, assetId)).rejects.toMatchObject(isRefused);
    await expect(workerOf(principal).commitOutput(lease, output())).rejects.toMatchObject(isRefused);
    await expect(loggingWorkerOf(principal).capture(log(lease))).rejects.toMatchObject(isRefused);
  }

  it('may do for its own lease what the lease is for', async () => {
    const { lease, assetId } = await runningJob(thief);
    expect((await buffer(await workerOf(thief).openInput(lease, assetId))).toString()).toContain(thief.accountId);
    const stored = await workerOf(thief).commitOutput(lease, output());
    const gateway = gatewayOf();
    expect(await gateway.get(thief, stored.assetId)).toMatchObject({
      value: { jobId: lease.jobId, expiresAt: lease.jobExpiresAt },
    });
    expect(await loggingWorkerOf(thief).capture(log(lease))).toBe('kept');
    expect(await logs.read(thief, { ...lease, endedAs: 'succeeded' })).toMatchObject({ value: { text: 'a log' } });
  });

  it('reads, plants and captures nothing under the other’s lease, whatever name it gives itself', async () => {
    const { lease, assetId } = await runningJob(victim);
    for (const workerId of ['worker-a', `worker-a@${victim.deploymentId}`]) {
      await expectRefused(thief, { ...lease, workerId, boundTo: victim.deploymentId }, assetId);
    }
    expect(await workerOf(victim).commitOutput(lease, output())).toMatchObject({ sizeBytes: 9 });
  });

  it('reads nothing of the other’s account under its own lease, and nothing of its own that the job does not hold', async () => {
    const { lease } = await runningJob(thief);
    const foreign = await uploaded(victim, 'a secret');
    const { assetId: heldElsewhere } = await runningJob(victim);
    const own = await uploaded(thief, 'not an input');
    const { assetId: ofAnotherJob } = await runningJob(thief);
    for (const assetId of [foreign, heldElsewhere, own, ofAnotherJob, newUuid() as AssetId]) {
      await expect(workerOf(thief).openInput(lease, assetId)).rejects.toMatchObject({ name: 'CallFailedError' });
    }
  });

  it('reaches nothing of another account of its own deployment, as in the shared pool', async () => {
    const neighbour = { ...someAccount(), deploymentId: thief.deploymentId };
    const { lease } = await runningJob(thief);
    const others = await runningJob(neighbour);
    // Both leases are of this worker, each for the account of its own job.
    await expect(workerOf(thief).openInput(lease, others.assetId)).rejects.toMatchObject({ name: 'CallFailedError' });
    expect((await buffer(await workerOf(thief).openInput(others.lease, others.assetId))).toString()).toContain(
      neighbour.accountId,
    );
    // What the call says of account and deployment counts for nothing.
    const claimed = { ...others.lease, accountId: thief.accountId, boundTo: thief.deploymentId };
    const stored = await workerOf(thief).commitOutput(claimed, output('of the neighbour'));
    expect(await loggingWorkerOf(thief).capture({ ...log(others.lease), accountId: thief.accountId } as never)).toBe(
      'kept',
    );
    const gateway = gatewayOf();
    expect(await gateway.get(neighbour, stored.assetId)).toMatchObject({ value: { jobId: others.lease.jobId } });
    expect(await gateway.get(thief, stored.assetId)).toMatchObject({ ok: false });
    const ended = { ...others.lease, endedAs: 'succeeded' } as const;
    expect(await logs.read(neighbour, ended)).toMatchObject({ value: { text: 'a log' } });
    expect(await logs.read(thief, ended)).toMatchObject({ ok: false });
  });

  it('is refused without a deployment: the shared pool has no lease of one', async () => {
    const { lease, assetId } = await runningJob(victim);
    const shared = new RemoteWorkerAssets(clientTo('assets', assetsUrl, tokenOf('worker')));
    await expect(shared.openInput(lease, assetId)).rejects.toMatchObject(isRefused);
    const named = { ...lease, workerId: `worker-a@${victim.deploymentId}` };
    const isMalformed = { name: 'CallRefusedError', status: 400 };
    await expect(shared.openInput(named, assetId)).rejects.toMatchObject(isMalformed);
    await expect(shared.commitOutput(named, output())).rejects.toMatchObject(isMalformed);
  });

  it('is refused for an unknown job, another fence, and as another worker of the same deployment', async () => {
    const { lease, assetId } = await runningJob(thief);
    await expectRefused(thief, { ...lease, jobId: newUuid() as JobId }, assetId);
    await expectRefused(thief, { ...lease, fence: lease.fence + 1 }, assetId);
    await expectRefused(thief, { ...lease, workerId: 'worker-b' }, assetId);
  });

  it('is refused with the fence that it had before it lost the lease, and once the job has ended', async () => {
    const { lease, assetId } = await runningJob(thief);
    await handBack(jobs.work, thief, `worker-a@${thief.deploymentId}`, lease);
    await expectRefused(thief, lease, assetId);
    const next = await leasedBy(jobs.work, thief, `worker-b@${thief.deploymentId}`);
    expect(next).toMatchObject({ jobId: lease.jobId, fence: lease.fence + 1 });
    await expectRefused(thief, lease, assetId);
    await jobs.jobs.cancel(thief, lease.jobId);
    await handBack(jobs.work, thief, `worker-b@${thief.deploymentId}`, next);
    await expectRefused(thief, { ...lease, fence: next.fence, workerId: 'worker-b' }, assetId);
  });

  it('is asked to wait, not refused, while the jobs service is away', async () => {
    const { lease } = await runningJob(thief);
    const { url } = jobsServer;
    await jobsServer.close();
    await expect(workerOf(thief).commitOutput(lease, output())).rejects.toMatchObject({ code: 'ServiceAwayError' });
    await expect(loggingWorkerOf(thief).capture(log(lease))).rejects.toMatchObject({ code: 'ServiceAwayError' });
    jobsServer = await servingCalls(servedJobs(jobs), { port: Number(new URL(url).port) });
    // A worker asks again: the channel of the assets service may pause before its next attempt to connect.
    const stored = await vi.waitFor(async () => await workerOf(thief).commitOutput(lease, output()), AGAIN);
    expect(stored).toMatchObject({ sizeBytes: 9 });
  });

  it('opens the question whose a lease is to assets and logs alone', async () => {
    const { lease } = await runningJob(thief);
    for (const service of ['worker', 'gateway', 'jobs']) {
      const asking = new RemoteLeaseAuthority(channelOf('jobs', jobsServer.url, tokenOf(service)));
      await expect(asking.holderOf(lease)).rejects.toMatchObject({ name: 'CallRefusedError', status: 403 });
    }
  });

  it('is asked about once for many outputs', async () => {
    const { lease } = await runningJob(thief);
    let asked = 0;
    const counting = channelTo('jobs', [jobsServer.url], { token: tokenOf('assets'), observe: () => (asked += 1) });
    clients.push(counting);
    const known = new RemoteLeaseAuthority(counting);
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await known.holderOf(lease)));
    expect(new Set(answers).size).toBe(1);
    expect(await known.holderOf(lease)).toMatchObject({ ...thief, jobExpiresAt: lease.jobExpiresAt });
    expect(asked).toBe(1);
    for (const fence of [7, 7]) expect(await known.holderOf({ ...lease, fence })).toBeNull();
    expect(asked).toBe(3);
  });
});
