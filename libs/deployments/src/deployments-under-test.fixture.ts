import { setTimeout as delay } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DEPLOYMENTS_PORT, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentAnswer, DeploymentsPort, DeploymentView, NewDeployment } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll } from 'vitest';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE } from './deployments-schema/deployments-migrations.js';
import { DeploymentsModule } from './deployments.module.js';
import type { DeploymentsModuleOptions } from './deployments.module.js';
import { StatedPools } from './stated-pools.fake.js';

export const BUILTIN = { image: null, engine: 'builtin', engineVersion: null, packages: [], catalogue: null };

export const FAST = { lookMs: 20, silenceMs: 300, repinTimeoutMs: 60_000, settleMs: 50 };

export function named(label: string, changes: Partial<NewDeployment> = {}): NewDeployment {
  return { label, stage: 'production', accountId: null, provider: null, environment: BUILTIN, options: {}, ...changes };
}

export function viewOf(answer: DeploymentAnswer): DeploymentView {
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
}

export async function eventually<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 10_000; ; await delay(10)) {
    const value = await ask();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
  }
}

/** The context on a database of its own, for the specs of a file. */
export class DeploymentsForSpecs {
  readonly pools = new StatedPools();
  readonly #replicas: INestApplicationContext[] = [];
  #database: TestDatabase | null = null;
  #deployments: DeploymentsPort | null = null;

  constructor() {
    beforeAll(async () => {
      this.#database = await DeploymentsForSpecs.database();
      this.#deployments = (await this.open()).get<DeploymentsPort>(DEPLOYMENTS_PORT);
    });
    afterAll(async () => {
      await Promise.all(this.#replicas.map((replica) => replica.close()));
      await this.#database?.drop();
    });
  }

  static async database(): Promise<TestDatabase> {
    return await freshDatabase({ migrations: [DEPLOYMENTS_MIGRATIONS], poolSizes: { [DEPLOYMENTS_ROLE]: 8 } });
  }

  get deployments(): DeploymentsPort {
    return this.#deployments!;
  }

  /** Another replica, on the same database if the options name none. It is closed with the others. */
  async open(
    options: Partial<DeploymentsModuleOptions> = {},
    pools: StatedPools = this.pools,
  ): Promise<INestApplicationContext> {
    @Module({ providers: [{ provide: WORKER_POOLS_PORT, useValue: pools }], exports: [WORKER_POOLS_PORT] })
    class PoolsModule {}
    const module = DeploymentsModule.register({
      database: this.#database!,
      settings: FAST,
      metrics: new MetricsRegistry(),
      imports: [PoolsModule],
      ...options,
    });
    const context = await NestFactory.createApplicationContext(module, { logger: false });
    this.#replicas.push(context);
    return context;
  }
}
