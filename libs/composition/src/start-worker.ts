import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Worker, WORKER_METRICS, WorkerSettings } from '@heddle/worker';
import { workerSettings } from '@heddle/worker/settings';
import type { WorkerPool } from '@heddle/contracts-messages';
import type { WorkerPorts } from '@heddle/worker';
import { isDependencyAway } from './connect/is-dependency-away.js';
import type { ServiceProcess } from './process/service-process.js';

type WorkerProcess = Pick<ServiceProcess, 'settings' | 'logger' | 'metrics' | 'onStop'>;

/**
 * A worker under a name of its own; at a stop it drains. It is made by hand and not by Nest: it serves no requests, and
 * its other parts are made for each lease, so a module would hold this one object.
 */
export function startWorker(service: WorkerProcess, ports: WorkerPorts, pool: WorkerPool): Worker {
  const worker = runWorker(service, ports, pool);
  service.metrics.gauge(WORKER_METRICS.workerSlots, () =>
    Object.entries(worker.slots).map(([state, slots]) => [{ state }, slots] as const),
  );
  service.onStop('worker', () => worker.drain());
  return worker;
}

/**
 * Starts workers once their engine answers, because a deployment counts as ready once its workers poll. Resolves with null
 * if `leaving` aborts first, or if the engine cannot be waited for.
 */
export async function startOnceReady<T>(
  { logger }: Pick<WorkerProcess, 'logger'>,
  { deploymentId }: Pick<WorkerPool, 'deploymentId'>,
  engine: WorkerPorts['engine'],
  leaving: AbortSignal,
  start: () => T,
): Promise<T | null> {
  try {
    await engine.whenReady?.(leaving);
  } catch (error) {
    logger.error({ err: error, deploymentId }, 'the workers of a deployment were not started');
    return null;
  }
  return leaving.aborted ? null : start();
}

/** A worker that its caller drains. `slots`: how many jobs it runs at once, if not as many as the setting says. */
export function runWorker(
  service: Omit<WorkerProcess, 'onStop'>,
  ports: WorkerPorts,
  pool: WorkerPool,
  slots?: number,
): Worker {
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const { logger, settings } = service;
  const onWait = (error: unknown): void =>
    logger.warn({ err: error }, 'a running job waits for its inputs or outputs to be stored');
  const lost = service.metrics.counter(WORKER_METRICS.logsLost);
  const onLogLost = (error: unknown): void => {
    lost.inc();
    logger.warn(error === null ? {} : { err: error }, 'the execution log of a job is lost');
  };
  const own = { ...workerSettings(settings), ...(slots === undefined ? {} : { slots }) };
  const limits = new WorkerSettings({ ...own, isOutage: isDependencyAway, onWait, onLogLost });
  const worker = new Worker({ logger, ...ports }, workerId, pool, limits);
  worker.start();
  return worker;
}
