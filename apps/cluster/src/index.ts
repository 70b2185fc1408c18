export type { Infrastructure } from './infrastructure.js';
export { PlainProgress } from './progress/plain-progress.js';
export type { Progress } from './progress/progress.js';
export { readDeployments } from './deployments/asked-deployments.js';
export { readReplicas } from './replicas.js';
export type { Replicas, ServiceName } from './replicas.js';
export { startCluster } from './start-cluster.js';
export type { ClusterOptions, RunningCluster } from './cluster.js';
export type { SupervisedProcess } from './supervise/supervised-process.js';
