import { resolve } from 'node:path';
import { ACCOUNTS_MIGRATIONS, ACCOUNTS_ROLE } from '@heddle/accounts';
import type { ServiceProcess } from '@heddle/composition';
import { accountsModule, makeFirstKey } from '@heddle/composition/accounts';
import { forgetAdminApi, newAdminToken, noteAdminApi, portsOf, serveAdminApi } from '@heddle/composition/admin-api';
import { ACCOUNTS_PORT, CREDITS_PORT, DEPLOYMENT_DIRECTORY, MODERATION_PORT } from '@heddle/contracts-messages';
import type { DeploymentDirectory } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import type { Pool } from 'pg';

/** What the managed and the dedicated surface have beside the self-hosted one: keys of accounts, and an admin API. */
export const KEYED_MIGRATIONS = [ACCOUNTS_MIGRATIONS];

const NO_DEPLOYMENTS: DeploymentDirectory = { find: () => null, byId: () => null };

@Module({
  providers: [{ provide: DEPLOYMENT_DIRECTORY, useValue: NO_DEPLOYMENTS }],
  exports: [DEPLOYMENT_DIRECTORY],
})
class NoDeploymentsModule {}

export function keyedModules(service: ServiceProcess, database: Database): readonly DynamicModule[] {
  return [accountsModule(service, database, true), { module: NoDeploymentsModule }];
}

export function keyedPools(database: Database): readonly (readonly [string, Pool])[] {
  return [['accounts', database.pool(ACCOUNTS_ROLE)]];
}

/** Once the operations port is open: the first key, and the admin API, which the data folder names to the commands. */
export async function openKeyedSurface(
  service: ServiceProcess,
  app: Pick<INestApplicationContext, 'get'>,
): Promise<void> {
  const { settings } = service;
  await makeFirstKey(service, app, (line) => process.stderr.write(`heddle: ${line}\n`));
  const token = settings.adminToken ?? newAdminToken();
  await serveAdminApi(service, token, portsOf(app, [ACCOUNTS_PORT, CREDITS_PORT, MODERATION_PORT]));
  const folder = resolve(settings.data);
  noteAdminApi(folder, { url: service.opsUrl!, token });
  service.onStop('note of the admin API', () => forgetAdminApi(folder));
}
