import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { RemoteJobLog } from '@heddle/internal-api';
import { servedJobs } from '@heddle/internal-api/serve';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLogPort } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { itAnswersWhatJobsHold } from './job-log-port.suite.js';
import { jobsDatabase, openJobs } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

describe('JobLogPort', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: ServedCalls;
  const channels: ServiceChannel[] = [];
  const remote = (service: string): RemoteJobLog => {
    const channel = channelTo('jobs', [server.url], { token: tokenOf(service) });
    channels.push(channel);
    return new RemoteJobLog(channel);
  };
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    server = await servingCalls(servedJobs(local));
  });
  afterAll(async () => {
    for (const channel of channels) await channel.close();
    await server.close();
    await local.close();
    await db.drop();
  });

  describe.each([
    ['direct', (): JobLogPort => local.jobLog],
    ['over gRPC', (): JobLogPort => remote('assets')],
  ])('%s', (_, binding) => itAnswersWhatJobsHold(binding, () => local));

  it('takes no more than the limits, and no ids that are none', async () => {
    const jobLog = remote('logs');
    const ids = (count: number): JobId[] => Array.from({ length: count }, () => newUuid() as JobId);
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    await expect(jobLog.holdingsOf(ids(101))).rejects.toMatchObject(malformed);
    await expect(jobLog.endedOf(ids(1_001))).rejects.toMatchObject(malformed);
    await expect(jobLog.endedOf(['x' as JobId])).rejects.toMatchObject(malformed);
    await expect(jobLog.messagesAfter(0, 1_001)).rejects.toMatchObject(malformed);
  });

  it('is open to the services that follow jobs', async () => {
    const refused = { name: 'CallRefusedError', status: 403 };
    await expect(remote('gateway').holdingsOf([])).rejects.toMatchObject(refused);
  });
});
