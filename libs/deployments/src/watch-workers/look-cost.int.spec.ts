import { setTimeout as delay } from 'node:timers/promises';
import { DEPLOYMENTS_PORT, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentId, DeploymentsPort, Intake, OpenJobs } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeploymentsModule } from '../deployments.module.js';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE } from '../deployments-schema/deployments-migrations.js';
import { StatedPools } from '../stated-pools.fake.js';

const LOOK_INTERVAL_MS = 20;
const LOOKS = 25;
const MANY = 60;

/** What the looks asked for: deployments at the jobs service, and rows at the store. */
interface Cost {
  deployments: number;
  rows: number;
}

class CountedPools extends StatedPools {
  looks = 0;
  readonly cost: Cost = { deployments: 0, rows: 0 };

  override pools(): ReturnType<StatedPools['pools']> {
    this.looks += 1;
    return super.pools();
  }

  override setIntakes(intakes: readonly Intake[]): Promise<ReadonlySet<DeploymentId>> {
    this.cost.deployments += intakes.length;
    return super.setIntakes(intakes);
  }

  override openJobs(ids: readonly DeploymentId[]): Promise<readonly OpenJobs[]> {
    this.cost.deployments += ids.length;
    return super.openJobs(ids);
  }
}

describe('a look at idle deployments', () => {
  let database: TestDatabase;
  let context: { close(): Promise<void> };
  let deployments: DeploymentsPort;
  const pools = new CountedPools();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [DEPLOYMENTS_MIGRATIONS], poolSizes: { [DEPLOYMENTS_ROLE]: 8 } });
    @Module({ providers: [{ provide: WORKER_POOLS_PORT, useValue: pools }], exports: [WORKER_POOLS_PORT] })
    class PoolsModule {}
    const settings = { lookMs: LOOK_INTERVAL_MS, settleMs: 50 };
    const module = DeploymentsModule.register({ database, settings, imports: [PoolsModule] });
    const opened = await NestFactory.createApplicationContext(module, { logger: false });
    context = opened;
    deployments = opened.get<DeploymentsPort>(DEPLOYMENTS_PORT);
    countRows(database, pools.cost);
  });
  afterAll(async () => {
    await context.close();
    await database.drop();
  });

  const named = (n: number) => ({ label: `idle-${n}`, stage: 'production' }) as const;
  const environment = { image: null, engine: 'builtin', engineVersion: null, packages: [], catalogue: null };

  async function make(from: number, to: number): Promise<void> {
    await Promise.all(
      Array.from({ length: to - from }, async (_, n) => {
        const given = { accountId: null, provider: null, environment, options: {} };
        const made = await deployments.create({ ...named(from + n), ...given });
        if (!made.ok) throw new Error(made.refusal.message);
        pools.workers = [...pools.workers, { deploymentId: made.value.deploymentId, revision: 1, workers: 1 }];
      }),
    );
    await expect
      .poll(async () => (await deployments.list()).every(({ status }) => status === 'ready'), { timeout: 20_000 })
      .toBe(true);
    // Rows come again while a transaction from before them is open.
    await delay(500);
  }

  async function costOfLooks(): Promise<{ readonly deployments: number; readonly rowsALook: number }> {
    Object.assign(pools.cost, { deployments: 0, rows: 0 });
    const before = pools.looks;
    while (pools.looks - before < LOOKS) await delay(LOOK_INTERVAL_MS);
    return { deployments: pools.cost.deployments, rowsALook: pools.cost.rows / (pools.looks - before) };
  }

  it('costs what changed, however many there are: no rows, and no question about their jobs', async () => {
    await make(0, 2);
    const few = await costOfLooks();
    await make(2, MANY);
    const many = await costOfLooks();
    expect([few.deployments, many.deployments]).toEqual([0, 0]);
    // One row each for the deployments, the pools and the sequencer's look, and the directory now and then.
    expect(few.rowsALook).toBeLessThan(10);
    expect(many.rowsALook).toBeLessThan(10);
  });

  it('asks about the jobs of those alone that wait for them', async () => {
    const [first] = await deployments.list();
    pools.jobs = [{ deploymentId: first!.deploymentId, revision: 1, waiting: 1, running: 0 }];
    await deployments.drain(first!);
    await delay(100);
    const before = pools.looks;
    pools.cost.deployments = 0;
    while (pools.looks - before < LOOKS) await delay(LOOK_INTERVAL_MS);
    // The drain's, and the ones behind a closed intake: never those of all.
    expect(pools.cost.deployments).toBeGreaterThan(0);
    expect(pools.cost.deployments).toBeLessThan(MANY);
    pools.jobs = [];
    await expect.poll(() => status(first!), { timeout: 10_000 }).toBe('stopped');
  });

  async function status(name: { label: string; stage: 'production' | 'staging' }): Promise<string> {
    const answer = await deployments.show(name);
    return answer.ok ? answer.value.status : answer.refusal.message;
  }
});

/** Counts the rows that the store answers the service with. */
function countRows(database: TestDatabase, cost: Cost): void {
  const pool = database.pool(DEPLOYMENTS_ROLE);
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<{ rows: unknown[] }>;
  Object.assign(pool, {
    query: async (...args: unknown[]) => {
      const answer = await query(...args);
      cost.rows += answer.rows.length;
      return answer;
    },
  });
}
