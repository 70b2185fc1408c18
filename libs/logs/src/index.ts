export { LOGS_FAILPOINTS } from './failpoints.js';
export { LogJobFollower } from './follow-jobs/log-job-follower.js';
export { LogsModule } from './logs.module.js';
export type { LogsModuleOptions } from './logs.module.js';
export { LogExpirer } from './expire-logs/log-expirer.js';
export { LOGS_MIGRATIONS, LOGS_ROLE } from './logs-schema/logs-migrations.js';
