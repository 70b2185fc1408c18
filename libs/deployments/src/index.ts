export { DeploymentsModule } from './deployments.module.js';
export { DEPLOYMENTS_FAILPOINTS } from './failpoints.js';
export { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE } from './deployments-schema/deployments-migrations.js';
export { LocalFeed } from './follow-directory/local-feed.js';
export type { WantedPool, WorkerProvider } from './watch-workers/worker-provider.js';
