import { BuiltinEngine } from '@heddle/engine-builtin';
import { RemoteLeaseAuthority, RemoteLogs } from '@heddle/internal-api';
import { servedJobs, servedLogs } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { isEndedStatus, loggedEndOf, LOGS_PORT, Secret, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type {
  Answer,
  CapturedLog,
  JobId,
  JobLog,
  JobStatus,
  JobSubmission,
  JobView,
  LogsPort,
  Principal,
  WorkerAssetsPort,
} from '@heddle/contracts-messages';
import { LOGS_MIGRATIONS, LogsModule } from '@heddle/logs';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake } from '@heddle/testing-jobs';
import { Worker, WorkerSettings } from '@heddle/worker';
import { NestFactory } from '@nestjs/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { handBack, jobsDatabase, leasedBy, openJobs, someAccount, submissionOf, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

process.env['HEDDLE_TEST_NODES'] = '1';
const WORKER = 'worker-a';
/** Longer than a first call takes on a busy machine. */
const CAPTURE_MS = 20_000;
const SHORT_MS = 300;

/** The graphs of this spec have no files. */
const NO_ASSETS: WorkerAssetsPort = {
  openInput: () => Promise.reject(new Error('no inputs')),
  blockedInputs: () => Promise.resolve([]),
  commitOutput: () => Promise.reject(new Error('no outputs')),
};

/** Workers capture over the network; jobs and logs have a database each. */
describe('the execution log of a job', () => {
  const engine = new BuiltinEngine();
  const databases: TestDatabase[] = [];
  const ends: (() => Promise<void>)[] = [];
  let jobs: JobsUnderTest;
  let logs: LogsPort;
  let logsUrl: string;
  let worker: Worker | null = null;
  let lost = 0;

  beforeAll(async () => {
    await engine.prestart();
    const [jobsDb, logsDb] = [await jobsDatabase(), await freshDatabase({ migrations: [LOGS_MIGRATIONS] })];
    databases.push(jobsDb, logsDb);
    jobs = await openJobs(jobsDb);
    ends.push(() => jobs.close());
    const jobsServer = await serving(servedJobs(jobs));
    const authority = new RemoteLeaseAuthority(channelOf('jobs', jobsServer.url, tokenOf('logs')));
    const imports = [jobsServiceFake(undefined, authority)];
    const module = LogsModule.register({ database: logsDb.database, imports });
    const context = await NestFactory.createApplicationContext(module, { logger: false });
    ends.push(() => context.close());
    logs = context.get<LogsPort>(LOGS_PORT);
    logsUrl = (await serving(servedLogs(logs))).url;
  });
  afterEach(async () => {
    await worker?.drain();
    worker = null;
    lost = 0;
  });
  afterAll(async () => {
    await engine.close();
    for (const end of ends.reverse()) await end();
    for (const database of databases) await database.drop();
  });

  it('is stored before the end of the job is visible', async () => {
    const alice = someAccount();
    const statuses: JobStatus[] = [];
    const remote = remoteLogs();
    startWorker(alice, {
      capture: async (log) => {
        const verdict = await remote.capture(log);
        statuses.push((await viewOf(alice, log.jobId)).status);
        return verdict;
      },
    });
    const jobId = await submitted(alice, logging('a line', 2));
    expect(await logOf(alice, await ended(alice, jobId))).toMatchObject({
      ok: true,
      value: {
        complete: true,
        truncated: false,
        text: expect.stringMatching(
          /^\S+Z job \S+, attempt 1, engine builtin\S+, 1 nodes\ngot prompt\n\S+Z node 1 \(HeddleTestLog\) started\n1 a line\n2 a line\n\S+Z node 1 \(HeddleTestLog\) finished in \S+ s\nPrompt executed in \S+ seconds\n\S+Z succeeded\n$/,
        ) as string,
      },
    });
    expect(statuses.map(isEndedStatus)).toEqual([false]);
  });

  it('has the error with its traceback, and no credential of a partner', async () => {
    const alice = someAccount();
    startWorker(alice);
    const [apiKey, authToken] = ['sk-canary-0123456789', 'token-canary-0123456789'];
    const graph = {
      '1': { class_type: 'HeddleTestLog', inputs: { text: `Authorization: Bearer ${authToken}`, lines: 1 } },
      '2': { class_type: 'HeddleTestFail', inputs: { message: `refused: ${apiKey}`, value: ['1', 0] } },
    };
    const credentials = { apiKey: new Secret(apiKey), authToken: new Secret(authToken) };
    const jobId = await submitted(alice, graph, { credentials, nodesTotal: 2 });
    const job = await ended(alice, jobId);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'node_execution_error' } });
    const log = await logOf(alice, job);
    if (!log.ok) throw new Error(log.rejection.message);
    expect(log.value.text).not.toContain('canary');
    expect(log.value.text).toContain('1 Authorization: Bearer ***\n');
    expect(log.value.text).toMatch(
      /Z failed with node_execution_error in node 2 \(HeddleTestFail\)\nrefused: \*\*\*\nin node 2, HeddleTestFail\nRuntimeError: refused: \*\*\*\n$/,
    );
  });

  it('is neither collected nor stored on self-hosted', async () => {
    const captured: CapturedLog[] = [];
    startWorker(SELF_HOSTED_PRINCIPAL, { capture: (log) => (captured.push(log), Promise.resolve('kept')) });
    const job = await ended(SELF_HOSTED_PRINCIPAL, await submitted(SELF_HOSTED_PRINCIPAL, logging('a line', 1)));
    expect(job.status).toBe('succeeded');
    expect([captured, lost]).toEqual([[], 0]);
  });

  it('is the one of the attempt that ended the job, after a worker died between its capture and its report', async () => {
    const alice = someAccount();
    const jobId = await submitted(alice, logging('of the second', 1));
    await died(alice, jobId);
    startWorker(alice);
    expect(await logOf(alice, await ended(alice, jobId))).toMatchObject({
      value: { text: expect.stringContaining('1 of the second\n') as string },
    });
  });

  it('does not exist, rather than being that of another attempt, where the last capture was lost', async () => {
    const alice = someAccount();
    const jobId = await submitted(alice, logging('of the second', 1));
    await died(alice, jobId);
    startWorker(alice, { capture: () => Promise.reject(new Error('disk full')) });
    const job = await ended(alice, jobId);
    expect([job.status, lost]).toEqual(['succeeded', 1]);
    expect(await logOf(alice, job)).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
  });

  it('is lost, and no job with it, while the logs service does not answer', async () => {
    const alice = someAccount();
    let waited = 0;
    startWorker(alice, { capture: () => ((waited += 1), new Promise(() => undefined)) }, SHORT_MS);
    const jobIds: JobId[] = [];
    for (let at = 0; at < 10; at += 1) jobIds.push(await submitted(alice, logging('a line', 1)));
    for (const jobId of jobIds) expect((await ended(alice, jobId)).status).toBe('succeeded');
    // The first ones wait, each for itself: a worker ends two jobs of one slot at once.
    expect(waited).toBeLessThanOrEqual(2);
    expect(lost).toBe(10);
  });

  async function serving(calls: Parameters<typeof servingCalls>[0]): Promise<ServedCalls> {
    const server = await servingCalls(calls);
    ends.push(() => server.close());
    return server;
  }
  function channelOf(service: string, url: string, token: string): ServiceChannel {
    const channel = channelTo(service, [url], { token });
    ends.push(() => channel.close());
    return channel;
  }
  function remoteLogs(): RemoteLogs {
    return new RemoteLogs(channelOf('logs', logsUrl, tokenOf('worker')));
  }
  function startWorker(
    { deploymentId }: Principal,
    capturing: Pick<LogsPort, 'capture'> = remoteLogs(),
    logCaptureMs = CAPTURE_MS,
  ): void {
    const settings = new WorkerSettings({ logCaptureMs, onLogLost: () => (lost += 1) });
    const ports = { engine, work: jobs.work, assets: NO_ASSETS, logs: capturing, tracer: null };
    worker = new Worker(ports, WORKER, { deploymentId, revision: 0 }, settings);
    worker.start();
  }
  async function submitted(principal: Principal, graph: object, changes: Partial<JobSubmission> = {}): Promise<JobId> {
    const submission = submissionOf({ workflow: Buffer.from(JSON.stringify(graph)), ...changes });
    const answer = await jobs.jobs.submit(principal, submission);
    if (!answer.ok) throw new Error(answer.rejection.message);
    return submission.jobId;
  }
  async function viewOf(principal: Principal, jobId: JobId): Promise<JobView> {
    const answer = await jobs.jobs.get(principal, jobId);
    if (!answer.ok) throw new Error(answer.rejection.message);
    return answer.value;
  }
  async function ended(principal: Principal, jobId: JobId): Promise<JobView> {
    await until(async () => isEndedStatus((await viewOf(principal, jobId)).status), 'the end of the job');
    return await viewOf(principal, jobId);
  }
  async function logOf(principal: Principal, { id, fence, status, error }: JobView): Promise<Answer<JobLog>> {
    const endedAs = loggedEndOf(status, error);
    if (endedAs === null) throw new Error(`a job that is ${status} has no log`);
    return await logs.read(principal, { jobId: id, fence, endedAs });
  }
  /** A worker captures the log of a run that succeeded, and dies before it reports that; the job is leased again. */
  async function died(principal: Principal, jobId: JobId): Promise<void> {
    const lease = await leasedBy(jobs.work, principal, WORKER);
    expect(lease.jobId).toBe(jobId);
    const log = { text: 'of the first', truncated: false, complete: true, endedAs: 'succeeded' as const };
    expect(await remoteLogs().capture({ jobId, fence: lease.fence, workerId: WORKER, ...log })).toBe('kept');
    await handBack(jobs.work, principal, WORKER, lease);
  }
});

function logging(text: string, lines: number): object {
  return { '1': { class_type: 'HeddleTestLog', inputs: { text, lines } } };
}
