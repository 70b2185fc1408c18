import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import type { NodePackagesPort } from '@heddle/contracts-messages';
import { RemoteNodePackages } from '@heddle/internal-api';
import { servedNodePackages } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { afterAll, beforeAll, describe } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { itAnswersTheValidation } from './node-packages-port.suite.js';
import { openRegistry } from './registry-under-test.js';
import type { RegistryUnderTest } from './registry-under-test.js';

describe('NodePackagesPort', () => {
  let registry: RegistryUnderTest;
  let server: ServedCalls;
  let channel: ServiceChannel;
  let direct: NodePackagesPort;
  let remote: NodePackagesPort;
  beforeAll(async () => {
    registry = await openRegistry();
    direct = registry.packages();
    server = await servingCalls([servedNodePackages(registry.packages())]);
    channel = channelTo('registry', [server.url], { token: tokenOf('validation') });
    remote = new RemoteNodePackages(channel);
  });
  afterAll(async () => {
    await channel.close();
    await server.close();
    await registry.close();
  });

  describe.each([
    ['direct', 'acme', (): NodePackagesPort => direct],
    ['over gRPC', 'globex', (): NodePackagesPort => remote],
  ])('%s', (_, publisher, binding) => itAnswersTheValidation(publisher, binding, () => registry));
});
