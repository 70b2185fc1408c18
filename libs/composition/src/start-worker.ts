import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Worker, WORKER_DEFAULTS, WORKER_METRICS } from '@heddle/worker';
import type { WorkerPorts, WorkerSettings } from '@heddle/worker';
import { isDependencyAway } from './connect/is-dependency-away.js';
import type { ServiceProcess } from './process/service-process.js';
import type { Settings } from './settings/settings.js';

/** A worker under a name of its own; at a stop it drains. */
export function startWorker(service: ServiceProcess, ports: WorkerPorts): Worker {
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const { logger, settings } = service;
  const onWait = (error: unknown): void =>
    logger.warn({ err: error }, 'a running job waits for its inputs or outputs to be stored');
  const worker = new Worker({ logger, ...ports }, workerId, { ...workerSettings(settings), onWait });
  service.metrics.gauge(WORKER_METRICS.workerSlots, () =>
    Object.entries(worker.slots).map(([state, slots]) => [{ state }, slots] as const),
  );
  worker.start();
  service.onStop(() => worker.drain());
  return worker;
}

/** The environment's settings in the worker's own terms. */
export function workerSettings(settings: Settings): WorkerSettings {
  return {
    ...WORKER_DEFAULTS,
    slots: settings.workers,
    maxOutputs: settings.maxOutputs,
    maxPreviewBytes: settings.previewBytes,
    maxOutputBytes: settings.outputBytes,
    drainMs: settings.drain * 1000,
    outageMs: settings.assetsOutage * 1000,
    isOutage: isDependencyAway,
  };
}
