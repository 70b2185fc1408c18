export { Worker } from './hold-leases/worker.js';
export type { WorkerPorts } from './run-attempt/run-attempt.handler.js';
export { WORKER_DEFAULTS } from './worker-settings.js';
export type { WorkerSettings } from './worker-settings.js';
export { WORKER_METRICS } from './metrics.js';
