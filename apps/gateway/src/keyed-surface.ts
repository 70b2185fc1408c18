import { ACCOUNTS_MIGRATIONS } from '@heddle/accounts';
import type { ServiceProcess } from '@heddle/composition';
import { accountsModule, makeFirstKey } from '@heddle/composition/accounts';
import { KEYED_ADMIN_PORTS, portsOf, serveAdminApi } from '@heddle/composition/admin-api';
import type { ServiceCaller } from '@heddle/composition/call-services';
import { followedDeployments, showRefusedDemand } from '@heddle/composition/follow-deployments';
import { openRoleDatabase } from '@heddle/composition/role-database';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { RemoteDeployments } from '@heddle/internal-api';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';

/** What a gateway of the managed and the dedicated surface has beside a self-hosted one. */
export async function keyedModules(
  service: ServiceProcess,
  services: DynamicModule,
  { channel }: Pick<ServiceCaller, 'channel'>,
): Promise<readonly DynamicModule[]> {
  const { accountsDatabaseUrl: url } = service.settings;
  const from = url === null ? undefined : ({ setting: 'ACCOUNTS_DATABASE_URL', url, service: service.name } as const);
  const database = await openRoleDatabase(service, ACCOUNTS_MIGRATIONS, from);
  const accounts = accountsModule(service, database, false, [services]);
  return [accounts, await followedDeployments(service, new RemoteDeployments(channel))];
}

/** The key that the operator gave, and the admin API if there is a token for it. */
export async function openKeyedSurface(
  service: ServiceProcess,
  app: Pick<INestApplicationContext, 'get'>,
  registry: RegistryAdminPort | null,
): Promise<void> {
  const { bootstrapKey, adminToken } = service.settings;
  showRefusedDemand(service, app);
  // A key that a replica made would be shown in its log.
  if (bootstrapKey !== null) await makeFirstKey(service, app, () => undefined);
  if (adminToken === null) return;
  const ports = new Map(portsOf(app, KEYED_ADMIN_PORTS));
  if (registry !== null) ports.set(REGISTRY_ADMIN_PORT, registry);
  await serveAdminApi(service, adminToken, ports);
}
