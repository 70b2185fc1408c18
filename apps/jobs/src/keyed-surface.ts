import type { ServiceProcess } from '@heddle/composition';
import { DEPLOYMENTS_MIGRATIONS, deploymentsModule } from '@heddle/composition/deployments';
import { openRoleDatabase } from '@heddle/composition/role-database';
import { CATALOGUES_PORT, DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { CataloguesPort, DeploymentsPort } from '@heddle/contracts-messages';
import { LocalFeed } from '@heddle/deployments';
import type { ServedJobs } from '@heddle/internal-api/serve';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';

/** What a jobs replica of the managed and the dedicated surface runs beside the jobs: the deployments. */
export async function keyedModules(service: ServiceProcess, jobs: DynamicModule): Promise<readonly DynamicModule[]> {
  const { deploymentsDatabaseUrl: url } = service.settings;
  const from = { setting: 'DEPLOYMENTS_DATABASE_URL', url, service: 'deployments' } as const;
  const database = await openRoleDatabase(service, DEPLOYMENTS_MIGRATIONS, from);
  return [deploymentsModule(service, { database, jobs, slots: 1 })];
}

/** What gateways and the validation service call. */
export function deploymentsPorts(app: Pick<INestApplicationContext, 'get'>): NonNullable<ServedJobs['deployments']> {
  return {
    deployments: app.get<DeploymentsPort>(DEPLOYMENTS_PORT),
    feed: app.get(LocalFeed),
    catalogues: app.get<CataloguesPort>(CATALOGUES_PORT),
  };
}

/** Ends the calls that wait for a change, so that a stop does not wait for them. */
export function releaseFollowers(app: Pick<INestApplicationContext, 'get'>): void {
  app.get(LocalFeed).release();
}
