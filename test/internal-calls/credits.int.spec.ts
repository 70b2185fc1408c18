import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { RemoteCredits } from '@heddle/internal-api';
import { servedJobs } from '@heddle/internal-api/serve';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, CreditsPort } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { itManagesCredits } from './credits-port.suite.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { jobsDatabase, openJobs } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

describe('CreditsPort', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: ServedCalls;
  let gateway: RemoteCredits;
  const channels: ServiceChannel[] = [];
  const remote = (service: string): RemoteCredits => {
    const channel = channelTo('jobs', [server.url], { token: tokenOf(service) });
    channels.push(channel);
    return new RemoteCredits(channel);
  };
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    server = await servingCalls(servedJobs(local));
    gateway = remote('gateway');
  });
  afterAll(async () => {
    for (const channel of channels) await channel.close();
    await server.close();
    await local.close();
    await db.drop();
  });

  describe.each([
    ['direct', (): CreditsPort => local.credits],
    ['over gRPC', (): CreditsPort => gateway],
  ])('%s', (_, binding) => itManagesCredits(binding));

  it('is open to gateways alone, and takes ids', async () => {
    const refused = { name: 'CallRefusedError', status: 403 };
    const change = { amount: 1, note: null };
    await expect(remote('worker').grant(newUuid() as AccountId, change)).rejects.toMatchObject(refused);
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    await expect(gateway.grant('x' as AccountId, change)).rejects.toMatchObject(malformed);
    await expect(gateway.ledger(newUuid() as AccountId, { after: null, limit: 1_001 })).rejects.toMatchObject(
      malformed,
    );
  });
});
