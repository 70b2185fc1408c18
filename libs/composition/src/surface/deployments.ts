import { defaultPoolOf, servesEveryHost } from '@heddle/contracts-messages';
import { DEPLOYMENTS_MIGRATIONS, DeploymentsModule } from '@heddle/deployments';
import type { WorkerProvider } from '@heddle/deployments';
import { deploymentsSettings } from '@heddle/deployments/settings';
import type { Database } from '@heddle/platform-database';
import type { DynamicModule } from '@nestjs/common';
import type { ServiceProcess } from '../process/service-process.js';

export { DEPLOYMENTS_MIGRATIONS };

interface DeploymentsParts {
  readonly database: Pick<Database, 'pool'>;
  /** Provides WORKER_POOLS_PORT. */
  readonly jobs: DynamicModule;
  /** Starts workers in this process; absent: workers come by themselves. */
  readonly local?: WorkerProvider;
  /** Slots of the deployment `default`, if the surface has one. */
  readonly slots: number;
}

/** Deployments, in a process with the jobs service. */
export function deploymentsModule(
  { settings, metrics, logger }: ServiceProcess,
  { database, jobs, local, slots }: DeploymentsParts,
): DynamicModule {
  return DeploymentsModule.register({
    database,
    settings: {
      ...deploymentsSettings(settings),
      host: settings.deploymentHost,
      sharedPool: defaultPoolOf(settings.surface)?.deploymentId ?? null,
      everyHost: servesEveryHost(settings) ? { slots } : null,
    },
    metrics,
    logger,
    ...(local === undefined ? {} : { local }),
    imports: [jobs],
  });
}
