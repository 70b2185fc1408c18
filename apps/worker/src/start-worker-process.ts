import { tmpdir } from 'node:os';
import { openEngine, watchDisk, watchEngine } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { workerPoolOf, workOf } from '@heddle/composition/call-work';
import { startWorker } from '@heddle/composition/worker';
import { surfaceOf, SURFACES } from '@heddle/contracts-messages';
import type { WorkerPorts } from '@heddle/worker';
import { RemoteLogs, RemoteWorkerAssets } from '@heddle/internal-api';

/** One worker and its engine. Resolves with the engine's environment: workers receive no calls. */
export async function startWorkerProcess(service: ServiceProcess): Promise<string> {
  await service.serveOps();
  const tracer = await service.openTracer();
  const engine = await openEngine(service);
  watchEngine(service, engine);
  await watchDisk(service, [{ name: 'temporary', path: tmpdir() }]);
  const work = workOf(service);
  const assets = new RemoteWorkerAssets(callerOf(service, 'assets', tracer).bytes);
  const pool = workerPoolOf(service);
  const hasLogs = SURFACES[surfaceOf(pool.deploymentId)].logs === 'captured';
  const logs = hasLogs ? new RemoteLogs(callerOf(service, 'logs', tracer).channel) : null;
  const start = (): void => void startWorker(service, { engine, work, assets, logs, tracer }, pool);
  // A deployment is ready by its workers: they poll once their engine answers.
  if (surfaceOf(pool.deploymentId) === 'dedicated') startOnceReady(service, engine, start);
  else start();
  return engine.environment;
}

function startOnceReady(service: ServiceProcess, engine: WorkerPorts['engine'], start: () => void): void {
  const stopping = new AbortController();
  service.onStop('wait for the engine', () => stopping.abort());
  Promise.resolve(engine.whenReady?.(stopping.signal)).then(
    () => stopping.signal.aborted || start(),
    (error: unknown) =>
      stopping.signal.aborted || service.logger.error({ err: error }, 'the engine was not waited for'),
  );
}
