import { openBus } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { assertApiPortsFree, createPublicApi, listenForRequests } from '@heddle/composition/public-api';
import { signerForGateway } from '@heddle/composition/target-signer';
import { SURFACES } from '@heddle/contracts-messages';
import type { LiveItem } from '@heddle/contracts-messages';
import { GatewayModule, GatewaySettings } from '@heddle/gateway';
import { gatewaySettings } from '@heddle/gateway/settings';
import { JobFeed } from '@heddle/platform-message-bus';
import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import { registryAdminOf, serveRegistryAdmin } from './registry-admin.js';
import { RemoteServicesModule } from './remote-services.module.js';

/** One replica of the gateway. Resolves with the URL of the API. */
export async function startGateway(service: ServiceProcess): Promise<string> {
  const { logger, metrics } = service;
  await assertApiPortsFree(service);
  await service.serveOps();
  const settings = new GatewaySettings(gatewaySettings(service.settings));
  const { bus, isAway } = await openBus(service);
  const tracer = await service.openTracer();
  const keyed = SURFACES[settings.surface].credential === 'keys' ? await import('./keyed-surface.js') : null;
  const feed = new JobFeed<LiveItem>((error, jobId) => logger.error({ err: error, jobId }, 'a live item failed'));
  const jobs = callerOf(service, 'jobs', tracer);
  const services = RemoteServicesModule.register(service, jobs, tracer);
  const imports = [services, ...((await keyed?.keyedModules(service, services, jobs)) ?? [])];
  const healthUrl = (): string | null => service.healthUrl;
  const gateway = GatewayModule.register({
    settings,
    feed,
    imports,
    liveBus: { isAway },
    metrics,
    tracer,
    signer: await signerForGateway(service.settings),
    healthUrl,
  });
  const app = await createPublicApi(service, gateway, tracer);
  // Job events are batched only while no client watches a job here.
  const isWatched = (): boolean => feed.watchedJobs > 0;
  app.connectMicroservice({ strategy: new MessageBusStrategy(bus, 'gateway', isWatched) });
  await app.startAllMicroservices();
  await app.init();
  const registry = registryAdminOf(service, tracer);
  if (keyed !== null) await keyed.openKeyedSurface(service, app, registry);
  else if (registry !== null) await serveRegistryAdmin(service, registry);
  return await listenForRequests(service, app);
}
