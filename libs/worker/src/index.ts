export { Worker } from './lease-jobs/worker.js';
export type { WorkerPorts } from './run-attempt/run-attempt.handler.js';
export { WorkerSettings } from './settings.js';
export { WORKER_METRICS } from './metrics.js';
export { startOnceReady } from './lease-jobs/start-once-ready.js';
export { logTroubles } from './log-troubles.js';
