import { tmpdir } from 'node:os';
import { openEngine, watchDisk, watchEngine } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { workerPoolOf, workOf } from '@heddle/composition/call-work';
import { startWorker } from '@heddle/composition/worker';
import { RemoteWorkerAssets } from '@heddle/internal-api';

/** One worker and its engine. Resolves with the engine's environment: workers receive no calls. */
export async function startWorkerProcess(service: ServiceProcess): Promise<string> {
  await service.serveOps();
  const tracer = await service.openTracer();
  const engine = await openEngine(service);
  watchEngine(service, engine);
  await watchDisk(service, [{ name: 'temporary', path: tmpdir() }]);
  const work = workOf(service);
  const assets = new RemoteWorkerAssets(callerOf(service, 'assets', tracer).bytes);
  startWorker(service, { engine, work, assets, tracer }, workerPoolOf(service));
  return engine.environment;
}
