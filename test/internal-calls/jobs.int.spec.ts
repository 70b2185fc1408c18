import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { connect } from 'node:net';
import { newUuid } from '@heddle/contracts-messages';
import type { JobsPort } from '@heddle/contracts-messages';
import { RemoteJobs } from '@heddle/internal-api';
import { JOBS_CALLS, servedJobs, servedJobsPort } from '@heddle/internal-api/serve';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttingLine } from './cutting-line.fixture.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { describeJobsPort } from './jobs-port.suite.js';
import { jobsDatabase, openJobs, someAccount, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { describeRefusals } from './refused-calls.suite.js';

describeJobsPort('in one process', ({ jobs }) => Promise.resolve({ port: jobs, close: () => Promise.resolve() }));

describeJobsPort('over gRPC', async (local) => {
  const server = await servingCalls(servedJobs(local));
  const channel = channelTo('jobs', [server.url]);
  const close = async (): Promise<void> => {
    await channel.close();
    await server.close();
  };
  return { port: new RemoteJobs(channel), close };
});

describeRefusals('jobs', servedJobsPort({} as never));

describe('the jobs service over gRPC', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: ServedCalls;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    server = await servingCalls(servedJobs(local));
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await server.close();
    await local.close();
    await db.drop();
  });
  function remote(urls: readonly string[]): JobsPort {
    const channel = channelTo('jobs', urls);
    closing.push(() => channel.close());
    return new RemoteJobs(channel);
  }

  it('takes a submission again whose connection is cut after it was sent, and makes it once', async () => {
    const me = someAccount();
    const { port } = new URL(server.url);
    for (const submission of [submissionOf({ idempotencyKey: newUuid() }), submissionOf()]) {
      // The proxy passes the request and cuts the connection at the answer.
      const line = await CuttingLine.open(() => connect(Number(port), '127.0.0.1'));
      closing.push(() => line.close());
      const answer = await remote([line.url]).submit(me, submission);
      expect(answer).toMatchObject({ ok: true, value: { id: submission.jobId } });
      expect(line.cuts).toBe(1);
    }
    const query = { statuses: [], limit: 10, cursor: null, idempotencyKey: null, metadata: {} };
    const page = await local.jobs.list(me, query);
    expect(page.ok && page.value.jobs).toHaveLength(2);
  });

  it('says that it does not know where no replica answers any more', async () => {
    const dying = await servingCalls(
      servedJobs({
        ...local,
        jobs: { ...local.jobs, submit: async () => (await dying.close(), await new Promise(() => undefined)) },
      }),
    );
    const submitting = remote([dying.url]).submit(someAccount(), submissionOf());
    await expect(submitting).rejects.toMatchObject({ name: 'ServiceAwayError', service: 'jobs' });
  });

  it('refuses what is no call of a gateway for an account', async () => {
    const channel = channelTo('jobs', [server.url]);
    closing.push(() => channel.close());
    const me = someAccount();
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    const { get, list, queuePositions } = JOBS_CALLS.definition;
    const nobody = { accountId: 'x', deploymentId: me.deploymentId };
    for (const principal of [undefined, nobody]) {
      await expect(channel.call(get, { principal, jobId: newUuid() })).rejects.toMatchObject(malformed);
    }
    const query = { limit: 1, cursor: undefined, idempotencyKey: undefined, metadata: [] };
    await expect(channel.call(list, { principal: me, ...query, statuses: [99 as never] })).rejects.toMatchObject(
      malformed,
    );
    const labels = [{ key: 'a', valueJson: '1' }];
    const labelled = { principal: me, ...query, statuses: [], metadata: labels };
    await expect(channel.call(list, labelled)).rejects.toMatchObject(malformed);
    await expect(channel.call(queuePositions, { jobIds: ['x'] })).rejects.toMatchObject(malformed);
    const noJob = remote([server.url]).submit(me, submissionOf({ jobId: 'x' as never }));
    await expect(noJob).rejects.toMatchObject(malformed);
  });
});
