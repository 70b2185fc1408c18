export { startInfrastructure } from './infrastructure.js';
export type { Infrastructure } from './infrastructure.js';
export { readReplicas } from './replicas.js';
export type { Replicas, ServiceName } from './replicas.js';
export { startCluster } from './start-cluster.js';
export type { ClusterOptions, RunningCluster } from './start-cluster.js';
export type { SupervisedProcess } from './supervised-process.js';
