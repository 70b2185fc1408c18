import type { NodePackagesPort, PackageClasses } from '@heddle/contracts-messages';
import { RemoteNodePackages } from '@heddle/internal-api';
import { NODE_PACKAGES_CALLS, servedNodePackages } from '@heddle/internal-api/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { describeRefusals } from './refused-calls.suite.js';

const CLASSES: PackageClasses = {
  classes: [
    { name: 'A', inputTypes: '{"required": {}}', returnTypes: '["é"]', outputNode: true, unknown: ['return_types.0'] },
    { name: 'B', inputTypes: '', returnTypes: '', outputNode: false, unknown: [] },
  ],
  isWhole: false,
};
const PACK = { nodeId: 'pack', version: '1.0.0' };
const LOCAL: NodePackagesPort = {
  packagesOf: (classes) => Promise.resolve(new Map(classes.includes('A') ? [['A', PACK]] : [])),
  installable: (packages) => Promise.resolve(packages.filter(({ nodeId }) => nodeId === 'pack')),
  classesOf: ({ nodeId }) => Promise.resolve(nodeId === 'pack' ? CLASSES : null),
};
describeRefusals('registry', servedNodePackages(LOCAL));

describe('the questions to the registry over gRPC', () => {
  const closing: (() => Promise<void>)[] = [];
  let port: NodePackagesPort;
  let channel: ReturnType<typeof channelTo>;
  beforeAll(async () => {
    const server = await servingCalls([servedNodePackages(LOCAL)]);
    channel = channelTo('registry', [server.url], { token: tokenOf('validation') });
    closing.push(
      () => channel.close(),
      () => server.close(),
    );
    port = new RemoteNodePackages(channel);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it('are answered as in the process of the registry', async () => {
    const other = { nodeId: 'other', version: '1.0.0' };
    expect(await port.packagesOf(['A', 'B'])).toEqual(new Map([['A', PACK]]));
    expect(await port.installable([PACK, other])).toEqual([PACK]);
    expect([await port.classesOf(PACK), await port.classesOf(other)]).toEqual([CLASSES, null]);
  });

  it('are bounded', async () => {
    const { definition } = NODE_PACKAGES_CALLS;
    const refused = { name: 'CallRefusedError', code: 'malformed' };
    const packages = Array.from({ length: 1_001 }, () => PACK);
    await expect(channel.call(definition.installable, { packages })).rejects.toMatchObject(refused);
    await expect(channel.call(definition.classes, { package: undefined })).rejects.toMatchObject(refused);
  });
});
