import { RemoteJobLog } from '@heddle/internal-api';
import { servedJobs } from '@heddle/internal-api/serve';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLogPort, JobMessagePage } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import type { ServedPort } from './grpc-servers.js';
import { jobsDatabase, openJobs, someAccount, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

describe('JobLogPort', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: ServedPort;
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
  ])('%s', (_, binding) => {
    it('answers what jobs hold, and which hold nothing any more', async () => {
      const me = someAccount();
      const submission = submissionOf();
      await local.jobs.submit(me, submission);
      const asked = [submission.jobId, newUuid() as JobId];
      const jobLog = binding();
      expect(await jobLog.holdingsOf(asked)).toEqual(new Map([[asked[0], { ended: false, outputAssetIds: [] }]]));
      // The submission may still be under way, whatever time its id has: only the log proves an end.
      const [young, old] = [newUuid() as JobId, newUuid(Date.now() - 3_600_000) as JobId];
      expect(await jobLog.endedOf([submission.jobId, young, old])).toEqual([]);
      await local.jobs.cancel(me, submission.jobId);
      expect(await jobLog.endedOf([submission.jobId, young, old])).toEqual([submission.jobId]);
      expect(await jobLog.holdingsOf(asked)).toEqual(new Map([[asked[0], { ended: true, outputAssetIds: [] }]]));
      const thousand = Array.from({ length: 1_000 }, () => newUuid() as JobId);
      expect(await jobLog.endedOf(thousand)).toEqual([]);
    });

    it('pages through the messages of the log', async () => {
      const me = someAccount();
      const { jobId } = submissionOf();
      await local.jobs.submit(me, submissionOf({ jobId, metadata: { name: 'é' } }));
      const jobLog = binding();
      const all = async (): Promise<JobMessagePage> => await local.jobLog.messagesAfter(0, 1_000);
      await expect.poll(async () => (await all()).messages.at(-1)?.message.jobId).toBe(jobId);
      const { head } = await all();
      const page = await jobLog.messagesAfter(head - 1, 10);
      expect(page).toEqual(await local.jobLog.messagesAfter(head - 1, 10));
      expect(page.messages).toHaveLength(1);
      expect(page.after).not.toBeNull();
      expect((await jobLog.messagesAfter(0, 1)).after).toBeNull();
    });
  });

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
