export { sharedServers } from './shared-servers.js';
export type { SharedServers } from './shared-servers.js';
export { startTestCluster } from './start-test-cluster.js';
export type { TestCluster, TestClusterOptions } from './start-test-cluster.js';
