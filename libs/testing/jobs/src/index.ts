export { copyLedgers } from './copy-ledgers.js';
export type { CopiedLedgers } from './copy-ledgers.js';
export { describeJobLog } from './describe-job-log.js';
export type { JobLogUnderTest } from './describe-job-log.js';
export { describeLeaseAuthority } from './describe-lease-authority.js';
export type { LeaseAuthorityUnderTest } from './describe-lease-authority.js';
export { JobLogFake } from './job-log-fake.js';
export { jobsServiceFake } from './jobs-service-fake.js';
export { LeaseAuthorityFake } from './lease-authority-fake.js';
