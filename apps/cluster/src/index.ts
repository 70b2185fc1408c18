export type { Infrastructure } from './infrastructure.js';
export { PlainProgress } from './progress/plain-progress.js';
export { readDeployments } from './deployments/asked-deployments.js';
export { readReplicas } from './replicas.js';
export type { Replicas, ServiceName } from './replicas.js';
export { startCluster } from './start-cluster.js';
export type { RunningCluster } from './cluster.js';
