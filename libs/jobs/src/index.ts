export { JobsModule } from './jobs.module.js';
export type { JobsModuleOptions } from './jobs.module.js';
export { JobsSettings } from './jobs-settings.js';
export { JOBS_MIGRATIONS, JOBS_ROLE, JOBS_SCHEMA } from './jobs-schema/jobs-migrations.js';
export { JOBS_FAILPOINTS } from './failpoints.js';
export { OutcomeTooEarly } from './leases.port.js';
export type { LiveJobFeed } from './relay-job-events/live-jobs.js';
