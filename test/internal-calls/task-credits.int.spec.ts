import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, TaskCreditsPort, TaskId } from '@heddle/contracts-messages';
import { RemoteTaskCredits } from '@heddle/internal-api';
import { servedJobs } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import type { ServedPort } from './grpc-servers.js';
import { jobsDatabase, openJobs } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { itTakesCreditsOfTasks } from './task-credits-port.suite.js';

describe('TaskCreditsPort', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: ServedPort;
  let registry: RemoteTaskCredits;
  const channels: ServiceChannel[] = [];
  const remote = (service: string): RemoteTaskCredits => {
    const channel = channelTo('jobs', [server.url], { token: tokenOf(service) });
    channels.push(channel);
    return new RemoteTaskCredits(channel);
  };
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    server = await servingCalls(servedJobs(local));
    registry = remote('registry');
  });
  afterAll(async () => {
    for (const channel of channels) await channel.close();
    await server.close();
    await local.close();
    await db.drop();
  });

  describe.each([
    ['direct', (): TaskCreditsPort => local.taskCredits],
    ['over gRPC', (): TaskCreditsPort => registry],
  ])('%s', (_, binding) => itTakesCreditsOfTasks(binding, () => local.credits));

  it('is open to the registry alone, and takes ids', async () => {
    const task = { accountId: newUuid() as AccountId, taskId: newUuid() as TaskId };
    const refused = { name: 'CallRefusedError', status: 403 };
    for (const stranger of ['gateway', 'worker', 'jobs']) {
      await expect(remote(stranger).reserve({ ...task, amount: 1 })).rejects.toMatchObject(refused);
      await expect(remote(stranger).settle({ ...task, charged: 1 })).rejects.toMatchObject(refused);
    }
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    await expect(registry.reserve({ ...task, taskId: 'x' as TaskId, amount: 1 })).rejects.toMatchObject(malformed);
    await expect(registry.settle({ ...task, accountId: 'x' as AccountId, charged: 1 })).rejects.toMatchObject(
      malformed,
    );
  });
});
