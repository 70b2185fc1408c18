import { JOB_LOG_PORT } from '@heddle/contracts-messages';
import { RemoteJobLog } from '@heddle/internal-api';
import type { Tracer } from '@heddle/platform-telemetry';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { ServiceProcess } from '../process/service-process.js';
import { callerOf } from './call-services.js';

/** The log of the jobs service, over internal calls. */
@Module({})
export class JobLogModule {
  static register(service: ServiceProcess, tracer: Tracer | null): DynamicModule {
    const jobLog = new RemoteJobLog(callerOf(service, 'jobs', tracer));
    return {
      module: JobLogModule,
      providers: [{ provide: JOB_LOG_PORT, useValue: jobLog }],
      exports: [JOB_LOG_PORT],
    };
  }
}
