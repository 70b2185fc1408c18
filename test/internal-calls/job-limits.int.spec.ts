import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { MAX_ASKED_USAGE, newUuid } from '@heddle/contracts-messages';
import type { AccountId, JobLimitsPort } from '@heddle/contracts-messages';
import { JOB_LIMITS_CALLS, servedJobs } from '@heddle/internal-api/serve';
import { RemoteJobLimits } from '@heddle/internal-api';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelTo, servingCalls } from './grpc-servers.js';
import { itLimitsJobs } from './job-limits-port.suite.js';
import { jobsDatabase, openJobs } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { describeRefusals } from './refused-calls.suite.js';

const calls = servedJobs({} as never).find(({ definition }) => definition === JOB_LIMITS_CALLS.definition);
describeRefusals('jobs', calls!);

describe('JobLimitsPort', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: ServedCalls;
  let channel: ServiceChannel;
  let gateway: JobLimitsPort;
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    server = await servingCalls(servedJobs(local));
    channel = channelTo('jobs', [server.url]);
    gateway = new RemoteJobLimits(channel);
  });
  afterAll(async () => {
    await channel.close();
    await server.close();
    await local.close();
    await db.drop();
  });

  describe.each([
    ['direct', (): JobLimitsPort => local.jobLimits],
    ['over gRPC', (): JobLimitsPort => gateway],
  ])('%s', (_, binding) => itLimitsJobs(binding, () => local));

  it('over gRPC takes ids, and no more of them than the limit', async () => {
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    const none = { queueDepth: null, running: null };
    await expect(gateway.limitAccount('x' as AccountId, none, 1)).rejects.toMatchObject(malformed);
    await expect(gateway.openJobsOf(['x' as AccountId])).rejects.toMatchObject(malformed);
    const tooMany = Array.from({ length: MAX_ASKED_USAGE + 1 }, () => newUuid() as AccountId);
    await expect(gateway.openJobsOf(tooMany)).rejects.toMatchObject(malformed);
  });
});
