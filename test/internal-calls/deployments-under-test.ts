import 'reflect-metadata';
import { CATALOGUES_PORT, DEPLOYMENTS_PORT, newUuid, WORK_PORT } from '@heddle/contracts-messages';
import type {
  CataloguesPort,
  DeploymentAnswer,
  DeploymentFeed,
  DeploymentId,
  DeploymentsPort,
  DeploymentView,
  NewDeployment,
  ServedWorkPort,
} from '@heddle/contracts-messages';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE, DeploymentsModule, LocalFeed } from '@heddle/deployments';
import { JOBS_MIGRATIONS, JOBS_ROLE, JobsModule } from '@heddle/jobs';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { NestFactory } from '@nestjs/core';

export const BUILTIN = { image: null, engine: 'builtin', engineVersion: null, packages: [], catalogue: null };

let made = 0;
export const someLabel = (): string => `d${++made}-${newUuid().slice(0, 8)}`;

export function plain(label: string): NewDeployment {
  return { label, stage: 'production', accountId: null, provider: null, environment: BUILTIN, options: {} };
}

export function viewOf(answer: DeploymentAnswer): DeploymentView {
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
}

/** Deployments beside the jobs service, as a jobs replica runs them */
export interface DeploymentsUnderTest {
  readonly deployments: DeploymentsPort;
  readonly feed: DeploymentFeed;
  readonly catalogues: CataloguesPort;
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
    catalogues: context.get<CataloguesPort>(CATALOGUES_PORT),
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
