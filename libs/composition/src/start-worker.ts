import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { logTroubles, Worker, WORKER_METRICS, WorkerSettings } from '@heddle/worker';
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

/** A worker that its caller drains. `slots`: how many jobs it runs at once, if not as many as the setting says. */
export function runWorker(
  service: Omit<WorkerProcess, 'onStop'>,
  ports: WorkerPorts,
  pool: WorkerPool,
  slots?: number,
): Worker {
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const { logger, metrics, settings } = service;
  const own = { ...workerSettings(settings), ...(slots === undefined ? {} : { slots }) };
  const limits = new WorkerSettings({ ...own, isOutage: isDependencyAway, ...logTroubles(logger, metrics) });
  const worker = new Worker({ logger, ...ports }, workerId, pool, limits);
  worker.start();
  return worker;
}
