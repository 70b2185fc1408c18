import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { MAX_ASKED_USAGE, newUuid } from '@heddle/contracts-messages';
import type { AccountId, StoragePort } from '@heddle/contracts-messages';
import { RemoteStorage } from '@heddle/internal-api';
import { servedStorage } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsDatabase, openAssets } from './assets-under-test.js';
import type { AssetsUnderTest } from './assets-under-test.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { describeRefusals } from './refused-calls.suite.js';
import { itLimitsStorage } from './storage-port.suite.js';

describeRefusals('assets', servedStorage({} as never));

describe('StoragePort', () => {
  let db: TestDatabase;
  let local: AssetsUnderTest;
  let server: ServedCalls;
  let channel: ServiceChannel;
  let gateway: StoragePort;
  beforeAll(async () => {
    db = await assetsDatabase();
    local = await openAssets(db);
    server = await servingCalls([servedStorage(local.storage)]);
    channel = channelTo('assets', [server.url]);
    gateway = new RemoteStorage(channel);
  });
  afterAll(async () => {
    await channel.close();
    await server.close();
    await local.end();
    await db.drop();
  });

  describe.each([
    ['direct', (): StoragePort => local.storage],
    ['over gRPC', (): StoragePort => gateway],
  ])('%s', (_, binding) => itLimitsStorage(binding, () => local.assets));

  it('over gRPC takes ids, and no more of them than the limit', async () => {
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    await expect(gateway.limitAccount('x' as AccountId, 1, 1)).rejects.toMatchObject(malformed);
    await expect(gateway.storedBy(['x' as AccountId])).rejects.toMatchObject(malformed);
    const tooMany = Array.from({ length: MAX_ASKED_USAGE + 1 }, () => newUuid() as AccountId);
    await expect(gateway.storedBy(tooMany)).rejects.toMatchObject(malformed);
  });
});
