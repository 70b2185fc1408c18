import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, TaskCreditsPort, TaskId } from '@heddle/contracts-messages';
import { RemoteTaskCredits } from '@heddle/internal-api';
import { servedJobs } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { describeTaskCredits } from '@heddle/testing-jobs';
import type { TaskCreditsUnderTest } from '@heddle/testing-jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { jobsDatabase, openJobs } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

describe('TaskCreditsPort', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: ServedCalls;
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

  const ledgerBehind = (credits: TaskCreditsPort): TaskCreditsUnderTest => ({
    credits,
    grant: async (accountId, amount) => void (await local.credits.grant(accountId, { amount, note: null })),
    balanceOf: async (accountId) => (await local.credits.show(accountId)).balance,
  });
  describeTaskCredits('jobs, direct', () => ledgerBehind(local.taskCredits));
  describeTaskCredits('jobs, over gRPC', () => ledgerBehind(registry));

  it('leaves one entry of a reserve and one of a settle, whatever is repeated', async () => {
    const accountId = newUuid() as AccountId;
    const taskId = newUuid() as TaskId;
    await local.credits.grant(accountId, { amount: 100, note: null });
    for (let n = 0; n < 2; n += 1) await registry.reserve({ accountId, taskId, amount: 60 });
    for (let n = 0; n < 2; n += 1) await registry.settle({ accountId, taskId, charged: 20 });
    await registry.reserve({ accountId, taskId: newUuid() as TaskId, amount: 81 });
    expect(await local.credits.show(accountId)).toEqual({
      balance: 80,
      reserved: 0,
      granted: 100,
      charged: 20,
      withdrawn: 0,
    });
    expect(await local.credits.ledger(accountId, { after: null, limit: 10 })).toMatchObject([
      { kind: 'grant', jobId: null, taskId: null },
      { kind: 'reserve', amount: -60, balance: 40, jobId: null, taskId, charged: null },
      { kind: 'settle', amount: 40, balance: 80, jobId: null, taskId, charged: 20 },
    ]);
    expect(await local.credits.ledger(accountId, { after: null, limit: 10 })).toHaveLength(3);
  });

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
