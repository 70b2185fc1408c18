import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Worker } from '@heddle/worker';
import type { WorkerPorts } from '@heddle/worker';
import { METRICS } from '@heddle/platform-telemetry';
import type { ServiceProcess } from './process/service-process.js';
import { workerSettings } from './service-settings.js';

/** A worker under a name of its own; at a stop it drains. */
export function startWorker(service: ServiceProcess, ports: WorkerPorts): Worker {
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const worker = new Worker({ logger: service.logger, ...ports }, workerId, workerSettings(service.settings));
  service.metrics.gauge(...METRICS.workerSlots, () =>
    Object.entries(worker.slots).map(([state, slots]) => [{ state }, slots] as const),
  );
  worker.start();
  service.onStop(() => worker.drain());
  return worker;
}
