export { LOGS_FAILPOINTS } from './failpoints.js';
export { LogJobFollower } from './follow-jobs/log-job-follower.js';
export { LogsModule } from './logs.module.js';
export { LOGS_MIGRATIONS, LOGS_ROLE } from './logs-schema/logs-migrations.js';
