import { ASSETS_MIGRATIONS, AssetsModule } from '@heddle/assets';
import {
  assetsSettings,
  callsAddress,
  callServer,
  listenForCalls,
  openBus,
  openRoleDatabase,
  openStore,
} from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { ASSETS_PORT, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetsPort, WorkerAssetsPort } from '@heddle/contracts-messages';
import { serveAssets } from '@heddle/internal-api';
import { MessageBusStrategy } from '@heddle/platform-message-bus';
import { NestFactory } from '@nestjs/core';

/** One replica of the assets service. Resolves with the URL that takes its calls. */
export async function startAssets(service: ServiceProcess): Promise<string> {
  const { settings, metrics } = service;
  await service.serveOps();
  const database = await openRoleDatabase(service, ASSETS_MIGRATIONS);
  const store = await openStore(service);
  const { bus } = await openBus(service);
  const tracer = await service.openTracer();
  const module = AssetsModule.register({ database, store, bus, metrics, settings: assetsSettings(settings) });
  const app = await NestFactory.createMicroservice(module, {
    strategy: new MessageBusStrategy(bus, 'assets'),
    logger: service.nestLog,
  });
  const calls = callServer(service, tracer);
  serveAssets(calls, {
    assets: app.get<AssetsPort>(ASSETS_PORT),
    workerAssets: app.get<WorkerAssetsPort>(WORKER_ASSETS_PORT),
  });
  service.onStop(() => app.close());
  await app.listen();
  await listenForCalls(service, calls);
  return callsAddress(settings);
}
