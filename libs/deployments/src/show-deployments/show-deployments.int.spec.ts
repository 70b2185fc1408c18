import { DEPLOYMENT_DIRECTORY, DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { DeploymentDirectory, DeploymentsPort } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { BUILTIN, DeploymentsForSpecs, eventually, named, viewOf } from '../deployments-under-test.fixture.js';
import { StatedPools } from '../stated-pools.fake.js';
import type { WantedPool } from '../watch-workers/worker-provider.js';

describe('deployments', () => {
  const spec = new DeploymentsForSpecs();

  it('show to operators alone why no worker polls yet', async () => {
    const local = {
      want: () => Promise.resolve(),
      isTaken: () => true,
      waitsFor: ({ environment: { revision } }: Pick<WantedPool, 'environment'>) =>
        `revision ${revision} lacks its engine`,
    };
    const context = await spec.open({ local }, new StatedPools());
    const port = context.get<DeploymentsPort>(DEPLOYMENTS_PORT);
    const name = { label: 'lacking', stage: 'production' } as const;
    const { deploymentId } = viewOf(await port.create(named('lacking', { provider: 'local' })));
    const starting = await eventually(
      async () => viewOf(await port.show(name)),
      ({ status }) => status === 'starting',
    );
    expect(starting.reason).toBe('revision 1 lacks its engine');
    expect(viewOf(await port.repin(name, { ...BUILTIN, image: 'new' })).reason).toBe(
      'revision 1 lacks its engine; revision 2 waits: revision 2 lacks its engine',
    );
    const entry = context.get<DeploymentDirectory>(DEPLOYMENT_DIRECTORY).byId(deploymentId);
    expect(entry?.reason).toBe('the workers are starting');
  });
});
