export { DeploymentsModule } from './deployments.module.js';
export type { DeploymentsModuleOptions } from './deployments.module.js';
export {
  DEPLOYMENTS_MIGRATIONS,
  DEPLOYMENTS_ROLE,
  DEPLOYMENTS_SCHEMA,
} from './deployments-schema/deployments-migrations.js';
export { DEPLOYMENTS_METRICS } from './metrics.js';
export { DirectoryFollower } from './follow-directory/directory-follower.js';
export { MemoryDirectory } from './follow-directory/memory-directory.js';
export { poolKey } from './watch-workers/worker-provider.js';
export type { WantedPool, WorkerProvider } from './watch-workers/worker-provider.js';
