export { Worker } from './hold-leases/worker.js';
export type { WorkerPorts } from './run-attempt/run-attempt.handler.js';
export { WORKER_DEFAULTS } from './settings.js';
export type { WorkerSettings } from './settings.js';
export { WORKER_METRICS } from './metrics.js';
