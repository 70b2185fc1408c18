import { JOB_LOG_PORT, LEASE_AUTHORITY_PORT } from '@heddle/contracts-messages';
import type { JobLogPort, LeaseAuthorityPort } from '@heddle/contracts-messages';
import type { DynamicModule } from '@nestjs/common';
import { JobLogFake } from './job-log.fake.js';
import { LeaseAuthorityFake } from './lease-authority.fake.js';

class JobsServiceFake {}

/** A module with the ports that assets and logs use of the jobs service. */
export function jobsServiceFake(
  jobLog: JobLogPort = new JobLogFake(),
  leases: LeaseAuthorityPort = new LeaseAuthorityFake(),
): DynamicModule {
  return {
    module: JobsServiceFake,
    providers: [
      { provide: JOB_LOG_PORT, useValue: jobLog },
      { provide: LEASE_AUTHORITY_PORT, useValue: leases },
    ],
    exports: [JOB_LOG_PORT, LEASE_AUTHORITY_PORT],
  };
}
