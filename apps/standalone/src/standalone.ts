import { resolve } from 'node:path';
import { ASSETS_MIGRATIONS, ASSETS_ROLE } from '@heddle/assets';
import {
  databaseReadiness,
  followCatalogue,
  gatewaySettings,
  httpLimits,
  listening,
  modelPlacement,
  observeActive,
  observePools,
  openBus,
  openDatabase,
  openEngine,
  openStore,
  requestObserver,
  startWorker,
} from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { LEASES_PORT, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import type { LeasesPort, LiveItem, WorkerAssetsPort } from '@heddle/contracts-messages';
import { RequestGate, StreamSlots, STREAMED_BODIES } from '@heddle/gateway';
import { JOBS_MIGRATIONS, JOBS_ROLE } from '@heddle/jobs';
import { migrate } from '@heddle/platform-database';
import { createHttpApplication } from '@heddle/platform-http';
import { JobFeed, MessageBusStrategy } from '@heddle/platform-message-bus';
import { METRICS } from '@heddle/platform-telemetry';
import { CatalogueHolder } from '@heddle/validation';
import { StandaloneModule } from './standalone.module.js';

/** Every service and a worker in one process, brought up in the order in which the parts need each other. Resolves with its URL. */
export async function startStandalone(service: ServiceProcess): Promise<string> {
  const { settings, logger, metrics } = service;
  const { database, watch } = await openDatabase(service, resolve(settings.data));
  await migrate(database, [JOBS_MIGRATIONS, ASSETS_MIGRATIONS]);
  const store = await openStore(service);
  const engine = openEngine(service);
  const { bus } = await openBus(service);
  const onMinted = modelPlacement(service) ?? undefined;
  const feed = new JobFeed<LiveItem>((error, jobId) => logger.error({ err: error, jobId }, 'a live item failed'));

  const tracer = await service.openTracer();
  const gate = new RequestGate(gatewaySettings(settings));
  const app = await createHttpApplication(
    StandaloneModule.register({ settings, database, store, bus, feed, metrics, logger, tracer, onMinted }),
    {
      limits: httpLimits(settings),
      logger,
      tracer,
      guard: (request, reply) => gate.guard(request, reply),
      admit: (request) => gate.admit(request),
      streamedBodies: STREAMED_BODIES,
      observe: requestObserver(metrics, logger),
    },
  );
  service.onStop(() => app.close());
  app.connectMicroservice({ strategy: new MessageBusStrategy(bus, 'standalone') });
  await followCatalogue(service, engine, app.get(CatalogueHolder));
  await app.startAllMicroservices();
  await app.init();
  observeActive(metrics, app.getHttpAdapter().getInstance());
  observePools(metrics, [
    ['jobs', database.pool(JOBS_ROLE)],
    ['assets', database.pool(ASSETS_ROLE)],
  ]);
  metrics.gauge(...METRICS.streamsOpen, () => app.get(StreamSlots).total);

  const leases = app.get<LeasesPort>(LEASES_PORT);
  const assets = app.get<WorkerAssetsPort>(WORKER_ASSETS_PORT);
  startWorker(service, { engine, bus, leases, assets, tracer });
  service.readiness.push(databaseReadiness(database, watch));
  await service.serveOps();
  await listening('HEDDLE_PORT', settings.port, () => app.listen(settings.port, settings.host));
  return await app.getUrl();
}
