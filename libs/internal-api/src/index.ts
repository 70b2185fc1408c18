export { CALLS } from './internal-calls.js';
export { serveAssets, serveJobs, serveValidation } from './serve-ports.js';
export type { AssetsPorts, JobsPorts } from './serve-ports.js';
export { RemoteJobs } from './jobs/remote-jobs.js';
export { RemoteLeases } from './leases/remote-leases.js';
export { RemotePeers } from './peers/remote-peers.js';
export { RemoteAssets } from './assets/remote-assets.js';
export { RemoteWorkerAssets } from './worker-assets/remote-worker-assets.js';
export { RemoteValidation } from './validation/remote-validation.js';
