import { tmpdir } from 'node:os';
import { openEngine, watchDisk, watchEngine } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { workerPoolOf, workOf } from '@heddle/composition/call-work';
import { startWorker } from '@heddle/composition/worker';
import { surfaceOf, SURFACES } from '@heddle/contracts-messages';
import { RemoteLogs, RemoteWorkerAssets } from '@heddle/internal-api';
import { startOnceReady } from '@heddle/worker';

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
  if (surfaceOf(pool.deploymentId) === 'dedicated') {
    const leaving = new AbortController();
    service.onStop('wait for the engine', () => leaving.abort());
    void startOnceReady(service, pool, engine, leaving.signal, start);
  } else start();
  return engine.environment;
}
