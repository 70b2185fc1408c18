import { JOB_LOG_PORT, LEASE_AUTHORITY_PORT } from '@heddle/contracts-messages';
import { RemoteJobLog, RemoteLeaseAuthority } from '@heddle/internal-api';
import type { Tracer } from '@heddle/platform-telemetry';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { ServiceProcess } from '../process/service-process.js';
import { callerOf } from './call-services.js';

/** Provides the log and the leases of the jobs service over internal calls. */
@Module({})
export class JobLogModule {
  static register(service: ServiceProcess, tracer: Tracer | null): DynamicModule {
    const jobs = callerOf(service, 'jobs', tracer);
    return {
      module: JobLogModule,
      providers: [
        { provide: JOB_LOG_PORT, useValue: new RemoteJobLog(jobs.channel) },
        { provide: LEASE_AUTHORITY_PORT, useValue: new RemoteLeaseAuthority(jobs.channel) },
      ],
      exports: [JOB_LOG_PORT, LEASE_AUTHORITY_PORT],
    };
  }
}
