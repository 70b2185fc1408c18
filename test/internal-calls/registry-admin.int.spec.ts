import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import type { ListPart, RegistryAdminPort } from '@heddle/contracts-messages';
import { RemoteRegistryAdmin } from '@heddle/internal-api';
import { servedRegistryAdmin } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelTo, servingCalls } from './grpc-servers.js';
import { describeRefusals } from './refused-calls.suite.js';
import { itModeratesARegistry } from './registry-admin-port.suite.js';
import { openRegistry } from './registry-under-test.js';
import type { RegistryUnderTest } from './registry-under-test.js';

describeRefusals('registry', servedRegistryAdmin({} as never));

describe('RegistryAdminPort', () => {
  let local: RegistryUnderTest;
  let server: ServedCalls;
  let channel: ServiceChannel;
  let gateway: RegistryAdminPort;
  beforeAll(async () => {
    local = await openRegistry();
    server = await servingCalls([servedRegistryAdmin(local.admin)]);
    channel = channelTo('registry', [server.url]);
    gateway = new RemoteRegistryAdmin(channel);
  });
  afterAll(async () => {
    await channel.close();
    await server.close();
    await local.close();
  });

  describe.each([
    ['direct', 'acme', (): RegistryAdminPort => local.admin],
    ['over gRPC', 'globex', (): RegistryAdminPort => gateway],
  ])('%s', (_, publisher, binding) =>
    itModeratesARegistry(
      publisher,
      binding,
      () => local.client,
      () => local.deadTask(),
    ),
  );

  it('over gRPC takes parts of 1 to 1,000', async () => {
    for (const limit of [0, 1_001]) {
      const part: ListPart = { after: null, limit };
      const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
      await expect(gateway.queue(part)).rejects.toMatchObject(malformed);
      await expect(gateway.events('pack', part)).rejects.toMatchObject(malformed);
    }
  });
});
