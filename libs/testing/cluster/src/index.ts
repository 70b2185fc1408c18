export { newPlace } from './cluster-place.js';
export type { ClusterPlace } from './cluster-place.js';
export { FaultProxy } from './faults/fault-proxy.js';
export { httpReply } from './faults/network-fault.js';
export type { NetworkFault } from './faults/network-fault.js';
export { startServers } from './shared-servers.js';
export type { ServerAddresses, SharedServers } from './shared-servers.js';
export { startTestCluster } from './start-test-cluster.js';
export type { TestCluster, TestClusterOptions } from './start-test-cluster.js';
