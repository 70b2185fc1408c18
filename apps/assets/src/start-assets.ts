import { join, resolve } from 'node:path';
import { AssetJobFollower, ASSETS_MIGRATIONS, AssetsModule } from '@heddle/assets';
import { assetsSettings } from '@heddle/assets/settings';
import { callsAddress, openBus, watchDisk } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { JobLogModule } from '@heddle/composition/job-log';
import { startCalledService } from '@heddle/composition/called-service';
import { openRoleDatabase } from '@heddle/composition/role-database';
import { openStore } from '@heddle/composition/store';
import { signerForStore } from '@heddle/composition/target-signer';
import { ASSETS_PORT, MODERATION_PORT, STORAGE_PORT, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetsPort, ModerationPort, StoragePort, WorkerAssetsPort } from '@heddle/contracts-messages';
import {
  assetBytes,
  servedAssets,
  servedModeration,
  servedStorage,
  workerAssetBytes,
} from '@heddle/internal-api/serve';

/** One replica of the assets service. Resolves with its URL for calls. */
export async function startAssets(service: ServiceProcess): Promise<string> {
  const { settings, metrics } = service;
  await service.serveOps();
  const database = await openRoleDatabase(service, ASSETS_MIGRATIONS);
  const store = await openStore(service, await signerForStore(settings));
  if (settings.s3Endpoint === null) {
    await watchDisk(service, [{ name: 'blobs', path: join(resolve(settings.data), 'blobs') }]);
  }
  const { bus } = await openBus(service);
  const tracer = await service.openTracer();
  const module = AssetsModule.register({
    database,
    store,
    bus,
    metrics,
    imports: [JobLogModule.register(service, tracer)],
    settings: assetsSettings(settings),
  });
  const app = await startCalledService(service, {
    module,
    bus,
    tracer,
    contexts: (parts) => [
      ...servedAssets(parts.get<AssetsPort>(ASSETS_PORT)),
      ...servedModeration(parts.get<ModerationPort>(MODERATION_PORT)),
      servedStorage(parts.get<StoragePort>(STORAGE_PORT)),
    ],
    bytes: (parts) => [
      ...assetBytes(parts.get<AssetsPort>(ASSETS_PORT)),
      ...workerAssetBytes(parts.get<WorkerAssetsPort>(WORKER_ASSETS_PORT)),
    ],
  });
  const { follower } = app.get(AssetJobFollower);
  service.addReadiness({ name: 'missed job events', optional: true, check: () => follower.waitingFor() });
  return callsAddress(settings);
}
