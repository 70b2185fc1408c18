import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DEPLOYMENT_DIRECTORY, DEPLOYMENTS_PORT, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentDirectory, DeploymentsPort } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Logger } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE } from './deployments-schema/deployments-migrations.js';
import { DeploymentsModule } from './deployments.module.js';
import type { DeploymentsModuleOptions } from './deployments.module.js';
import { BUILTIN, FAST, eventually, named, viewOf } from './deployments-under-test.fixture.js';
import { StatedPools } from './stated-pools.fake.js';
import type { WantedPool } from './watch-workers/worker-provider.js';

describe('what operators are told of deployments', () => {
  let database: TestDatabase;
  const pools = new StatedPools();
  const replicas: { close(): Promise<void> }[] = [];
  let deployments: DeploymentsPort;

  async function open(options: Partial<DeploymentsModuleOptions> = {}, own = pools) {
    @Module({ providers: [{ provide: WORKER_POOLS_PORT, useValue: own }], exports: [WORKER_POOLS_PORT] })
    class PoolsModule {}
    const module = DeploymentsModule.register({
      database,
      settings: FAST,
      metrics: new MetricsRegistry(),
      imports: [PoolsModule],
      ...options,
    });
    const context = await NestFactory.createApplicationContext(module, { logger: false });
    replicas.push(context);
    return context;
  }

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [DEPLOYMENTS_MIGRATIONS], poolSizes: { [DEPLOYMENTS_ROLE]: 8 } });
    deployments = (await open()).get<DeploymentsPort>(DEPLOYMENTS_PORT);
  });

  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await database.drop();
  });

  it('take the environment that they have without a new revision, and say so', async () => {
    const name = { label: 'same', stage: 'staging' } as const;
    const catalogue = Buffer.from('{"KSampler":{"output":["LATENT"]}}');
    const environment = { ...BUILTIN, packages: [{ id: 'pack', version: '1' }], catalogue };
    const first = viewOf(await deployments.create(named('same', { ...name, environment })));
    const note = 'The deployment same.stg has this environment already, as revision 1. Nothing was changed.';
    const byHash = { ...environment, catalogue: first.environment.catalogueHash };
    for (const again of [environment, byHash, { ...environment, catalogueHash: byHash.catalogue! }]) {
      expect(await deployments.repin(name, again)).toMatchObject({
        note,
        value: { revision: 1, nextRevision: null, environment: first.environment },
      });
    }
    expect(viewOf(await deployments.repin(name, BUILTIN)).nextRevision).toBe(2);
    expect(await deployments.repin(name, BUILTIN)).toMatchObject({
      value: { nextRevision: 2 },
      note: expect.any(String) as string,
    });
  });

  it('refuse a catalogue with the hash of another one, and name both', async () => {
    const catalogue = Buffer.from('{"KSampler":{"output":["LATENT"]}}');
    const { environment } = viewOf(
      await deployments.create(named('hashed', { environment: { ...BUILTIN, catalogue } })),
    );
    const catalogueHash = `blake3:${'0a'.repeat(32)}`;
    const refused = await deployments.create(named('other', { environment: { ...BUILTIN, catalogue, catalogueHash } }));
    expect(refused).toMatchObject({
      refusal: { kind: 'option', message: expect.stringContaining(catalogueHash) as string },
    });
    expect(JSON.stringify(refused)).toContain(environment.catalogueHash);
  });

  it('name the command that does what was wanted', async () => {
    const name = { label: 'meant', stage: 'staging' } as const;
    const { deploymentId } = viewOf(await deployments.create(named('meant', name)));
    expect(await deployments.resume(name)).toMatchObject({
      refusal: { message: expect.stringContaining('once it is ready') as string },
    });
    pools.workers = [{ deploymentId, revision: 1, workers: 1 }];
    await eventually(
      async () => viewOf(await deployments.show(name)),
      ({ status }) => status === 'ready',
    );
    for (const [verb, note] of [
      ['start', 'The deployment meant.stg is already ready. Nothing was changed.'],
      ['resume', 'The deployment meant.stg is not paused: it is ready. Nothing was changed.'],
    ] as const)
      expect(await deployments[verb](name)).toMatchObject({ ok: true, note });
    expect(await deployments.pause(name)).not.toHaveProperty('note');
    expect(await deployments.pause(name)).toMatchObject({
      note: 'The deployment meant.stg is already paused. Nothing was changed.',
    });
    const message =
      'The deployment meant.stg is unavailable: it is paused, and heddle deployments resume meant --stage staging ends a pause.';
    expect(await deployments.start(name)).toEqual({ ok: false, refusal: { kind: 'state', message } });
    pools.workers = [];
  });

  it('show to operators alone why no worker polls yet', async () => {
    const local = {
      want: () => Promise.resolve(),
      isTaken: () => true,
      waitsFor: ({ environment: { revision } }: Pick<WantedPool, 'environment'>) =>
        `revision ${revision} lacks its engine`,
    };
    const context = await open({ local }, new StatedPools());
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

  it('are counted in a warning by a service whose hosts lead to none of them', async () => {
    const lines: { readonly facts: object; readonly line: string }[] = [];
    const logger = {
      info: () => undefined,
      error: () => undefined,
      warn: (facts: object, line: string) => lines.push({ facts, line }),
    };
    const before = replicas.length;
    const own = await freshDatabase({ migrations: [DEPLOYMENTS_MIGRATIONS], poolSizes: { [DEPLOYMENTS_ROLE]: 8 } });
    const start = async (settings: object) => {
      lines.length = 0;
      const context = await open(
        { database: own, settings: { ...FAST, ...settings }, logger: logger as unknown as Logger },
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
    await Promise.all(replicas.splice(before).map((replica) => replica.close()));
    await own.drop();
  });
});
