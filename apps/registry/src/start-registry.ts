import { assertPortsFree, openBus, registryFolders, watchDisk } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { openRoleDatabase } from '@heddle/composition/role-database';
import { serveCalls } from '@heddle/composition/serve-calls';
import { LazyProxy } from '@heddle/composition/partner-proxy';
import { assertProxySettings } from '@heddle/composition/proxy-vendors';
import { createRegistryApi, listenForRegistry } from '@heddle/composition/registry';
import { REGISTRY_ADMIN_PORT, SURFACES } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { servedNodePackages, servedRegistryAdmin } from '@heddle/internal-api/serve';
import { LocalNodePackages } from '@heddle/registry/node-packages';
import { REGISTRY_MIGRATIONS, REGISTRY_ROLE } from '@heddle/registry/schema';

/** One replica of the registry. Resolves with its URL. */
export async function startRegistry(service: ServiceProcess): Promise<string> {
  const { settings } = service;
  const { host, opsHost, effectiveOpsPort } = settings;
  await assertPortsFree([
    { setting: 'HEDDLE_REGISTRY_PORT', host, port: settings.registryPort ?? 0 },
    { setting: 'HEDDLE_OPS_PORT', host: opsHost, port: effectiveOpsPort },
  ]);
  await service.serveOps();
  await assertProxySettings(settings);
  const database = await openRoleDatabase(service, REGISTRY_MIGRATIONS);
  const { bus } = await openBus(service);
  await watchDisk(service, registryFolders(settings));
  const hasKeys = SURFACES[settings.surface].credential === 'keys';
  const keys = hasKeys ? await (await import('./key-check.js')).keyCheckModule(service) : null;
  const taskCredits = hasKeys ? await (await import('./remote-task-credits.js')).remoteTaskCredits(service) : null;
  const own = { database, keys, taskCredits, guard: null, prefix: '', mayMakeKeys: false, bus };
  const proxy = new LazyProxy(service, own);
  const app = await createRegistryApi(service, { ...own, openProxy: () => proxy.goOn() });
  proxy.mountOn(app.getHttpServer());
  proxy.goOn();
  const packages = new LocalNodePackages(database.pool(REGISTRY_ROLE));
  const tracer = await service.openTracer();
  await serveCalls(service, {
    tracer,
    contexts: [servedNodePackages(packages), servedRegistryAdmin(app.get<RegistryAdminPort>(REGISTRY_ADMIN_PORT))],
  });
  return await listenForRegistry(service, app);
}
