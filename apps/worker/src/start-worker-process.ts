import { openBus, openEngine } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { startWorker } from '@heddle/composition/worker';
import { RemoteLeases, RemoteWorkerAssets } from '@heddle/internal-api';

/** One worker and its engine. Resolves with the engine's environment: nobody calls a worker. */
export async function startWorkerProcess(service: ServiceProcess): Promise<string> {
  await service.serveOps();
  const tracer = await service.openTracer();
  const engine = await openEngine(service);
  const { bus } = await openBus(service);
  const leases = new RemoteLeases(callerOf(service, 'jobs', tracer));
  const assets = new RemoteWorkerAssets(callerOf(service, 'assets', tracer));
  startWorker(service, { engine, bus, leases, assets, tracer });
  return engine.environment;
}
