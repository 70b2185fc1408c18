import 'reflect-metadata';
import { DEPLOYMENTS_PORT, WORK_PORT } from '@heddle/contracts-messages';
import type { DeploymentFeed, DeploymentId, DeploymentsPort, ServedWorkPort } from '@heddle/contracts-messages';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE, DeploymentsModule, LocalFeed } from '@heddle/deployments';
import { JOBS_MIGRATIONS, JOBS_ROLE, JobsModule } from '@heddle/jobs';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { NestFactory } from '@nestjs/core';

/** Deployments beside the jobs service, as a jobs replica runs them */
export interface DeploymentsUnderTest {
  readonly deployments: DeploymentsPort;
  readonly feed: DeploymentFeed;
  /** Opens a worker's stream for the first revision; until it is closed. */
  worker(deploymentId: DeploymentId): { close(): Promise<void> };
  close(): Promise<void>;
}

export async function deploymentsDatabase(): Promise<TestDatabase> {
  const migrations = [JOBS_MIGRATIONS, DEPLOYMENTS_MIGRATIONS];
  return await freshDatabase({ migrations, poolSizes: { [JOBS_ROLE]: 6, [DEPLOYMENTS_ROLE]: 6 } });
}

export async function openDeployments({ database }: TestDatabase): Promise<DeploymentsUnderTest> {
  const settings = { lookMs: 20, settleMs: 20, host: 'run.localhost' };
  const module = DeploymentsModule.register({ database, settings, imports: [JobsModule.register({ database })] });
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  return {
    deployments: context.get<DeploymentsPort>(DEPLOYMENTS_PORT),
    feed: context.get(LocalFeed),
    worker: (deploymentId) =>
      context
        .get<ServedWorkPort>(WORK_PORT)
        .open(
          { workerId: `worker@${deploymentId}`, environment: 'builtin', deploymentId, revision: 1 },
          { leases: () => undefined, state: () => undefined },
        ),
    close: async () => await context.close(),
  };
}
