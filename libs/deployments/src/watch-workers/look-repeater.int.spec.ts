import { setTimeout as delay } from 'node:timers/promises';
import { DEPLOYMENTS_PORT, MANAGED_DEPLOYMENT_ID, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentsPort, PolledPool } from '@heddle/contracts-messages';
import { currentCallContext, withCallContext } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { Module } from '@nestjs/common';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeploymentsModule } from '../deployments.module.js';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE } from '../deployments-schema/deployments-migrations.js';
import { StatedPools } from '../stated-pools.fake.js';
import { GONE_MS } from './seen-pools.js';
import { WorkerPresence } from './worker-presence.js';

const LOOK_INTERVAL_MS = 20;

/** Counts the looks: each one asks for the workers here. */
class CountedPools extends StatedPools {
  asked = 0;
  /** Whose request the last look belonged to. */
  request: string | null = null;

  override pools(): readonly PolledPool[] {
    this.asked += 1;
    this.request = currentCallContext()?.requestId ?? null;
    return super.pools();
  }
}

describe('the looks at workers', () => {
  let database: TestDatabase;
  const replicas: { close(): Promise<void> }[] = [];
  const [pools, others] = [new CountedPools(), new CountedPools()];
  let here: DeploymentsPort;
  let elsewhere: DeploymentsPort;
  let presence: WorkerPresence;

  /** A jobs replica; each asks its own workers. */
  async function replica(own: CountedPools): Promise<INestApplicationContext> {
    @Module({ providers: [{ provide: WORKER_POOLS_PORT, useValue: own }], exports: [WORKER_POOLS_PORT] })
    class PoolsModule {}
    const settings = { lookMs: LOOK_INTERVAL_MS, settleMs: 50 };
    const module = DeploymentsModule.register({ database, settings, imports: [PoolsModule] });
    const context = await NestFactory.createApplicationContext(module, { logger: false });
    replicas.push(context);
    return context;
  }

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [DEPLOYMENTS_MIGRATIONS], poolSizes: { [DEPLOYMENTS_ROLE]: 8 } });
    const [one, other] = [await replica(pools), await replica(others)];
    here = one.get<DeploymentsPort>(DEPLOYMENTS_PORT);
    elsewhere = other.get<DeploymentsPort>(DEPLOYMENTS_PORT);
    presence = other.get(WorkerPresence);
  });
  afterAll(async () => {
    for (const one of replicas) await one.close();
    await database.drop();
  });

  const looks = (): number => pools.asked + others.asked;

  it('stop while there are no deployments', async () => {
    await expect.poll(looks, { timeout: 10_000 }).toBeGreaterThan(0);
    // The proof that nothing happens: many intervals of looks.
    const before = looks();
    await delay(40 * LOOK_INTERVAL_MS);
    expect(looks() - before).toBeLessThanOrEqual(2);
  });

  it('keep the workers of the shared pool present while there are no deployments', async () => {
    pools.workers = [{ deploymentId: MANAGED_DEPLOYMENT_ID, revision: 0, workers: 4 }];
    const workers = async (): Promise<number> =>
      (await presence.of([MANAGED_DEPLOYMENT_ID])).reduce((sum, pool) => sum + pool.workers, 0);
    await expect.poll(workers, { timeout: 20_000 }).toBe(4);
    const seen: number[] = [];
    for (const until = performance.now() + GONE_MS + 1_000; performance.now() < until; await delay(100))
      seen.push(await workers());
    // A machine that is held up delays a look.
    expect(seen.filter((count) => count === 4).length, seen.join(' ')).toBeGreaterThan(seen.length * 0.9);
  });

  it('begin with the first one, also at a replica that did not make it, and end with the last one', async () => {
    const name = { label: 'first', stage: 'production' } as const;
    const environment = { image: null, engine: 'builtin', engineVersion: null, packages: [], catalogue: null };
    const created = { ...name, accountId: null, provider: null, environment, options: {} };
    await withCallContext({ requestId: 'of the creation', traceparent: null }, () => here.create(created));
    const [mine, theirs] = [pools.asked, others.asked];
    // Sooner than an idle replica looks by itself.
    await expect.poll(() => pools.asked - mine, { timeout: 5_000 }).toBeGreaterThan(3);
    await expect.poll(() => others.asked - theirs, { timeout: 5_000 }).toBeGreaterThan(3);
    // A request woke them, but they are not a part of it.
    expect(pools.request).toBeNull();
    await elsewhere.drain(name);
    await expect.poll(async () => (await elsewhere.delete(name)).ok, { timeout: 10_000, interval: 100 }).toBe(true);
    await delay(1_000);
    const after = looks();
    await delay(20 * LOOK_INTERVAL_MS);
    expect(looks() - after).toBeLessThanOrEqual(2);
  });
});
