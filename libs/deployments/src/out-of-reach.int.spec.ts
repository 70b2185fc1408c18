import { DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { DeploymentsPort } from '@heddle/contracts-messages';
import type { Logger } from '@heddle/platform-telemetry';
import { describe, expect, it } from 'vitest';
import { DeploymentsForSpecs, FAST, named, viewOf } from './deployments-under-test.fixture.js';
import { StatedPools } from './stated-pools.fake.js';

describe('deployments', () => {
  const spec = new DeploymentsForSpecs();

  it('are counted in a warning by a service whose hosts lead to none of them', async () => {
    const lines: { readonly facts: object; readonly line: string }[] = [];
    const logger = {
      info: () => undefined,
      error: () => undefined,
      warn: (facts: object, line: string) => lines.push({ facts, line }),
    };
    const start = async (settings: object) => {
      lines.length = 0;
      const context = await spec.open(
        { settings: { ...FAST, ...settings }, logger: logger as unknown as Logger },
        new StatedPools(),
      );
      return context.get<DeploymentsPort>(DEPLOYMENTS_PORT);
    };
    const first = await start({});
    expect(lines).toEqual([]);
    viewOf(await first.create(named('one')));
    viewOf(await first.create(named('two')));
    await start({ host: 'run.localhost' });
    expect(lines).toEqual([]);
    await start({});
    expect(lines).toEqual([
      {
        facts: { deployments: 2 },
        line: 'HEDDLE_DEPLOYMENT_HOST is not set: 2 deployments cannot be reached, because no host leads to one',
      },
    ]);
    // It serves `default`, and the other two are out of reach.
    await start({ everyHost: { slots: 1 } });
    expect(lines).toMatchObject([{ facts: { deployments: 2 } }]);
  });
});
