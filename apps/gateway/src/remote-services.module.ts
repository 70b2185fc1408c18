import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import type { ServiceCaller } from '@heddle/composition/call-services';
import {
  ASSETS_PORT,
  CREDITS_PORT,
  JOB_LIMITS_PORT,
  JOBS_PORT,
  LOGS_PORT,
  MODERATION_PORT,
  STORAGE_PORT,
  SURFACES,
  VALIDATION_PORT,
} from '@heddle/contracts-messages';
import {
  RemoteAssets,
  RemoteCredits,
  RemoteJobLimits,
  RemoteJobs,
  RemoteLogs,
  RemoteModeration,
  RemoteStorage,
  RemoteValidation,
} from '@heddle/internal-api';
import type { Tracer } from '@heddle/platform-telemetry';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

/** The ports of the services behind the gateway, over internal calls. */
@Module({})
export class RemoteServicesModule {
  static register(service: ServiceProcess, jobs: ServiceCaller, tracer: Tracer | null): DynamicModule {
    const assets = callerOf(service, 'assets', tracer);
    const hasLogs = SURFACES[service.settings.surface].logs !== 'no-route';
    const logs = hasLogs
      ? [{ provide: LOGS_PORT, useValue: new RemoteLogs(callerOf(service, 'logs', tracer).channel) }]
      : [];
    return {
      module: RemoteServicesModule,
      providers: [
        { provide: JOBS_PORT, useValue: new RemoteJobs(jobs.channel) },
        { provide: CREDITS_PORT, useValue: new RemoteCredits(jobs.channel) },
        { provide: JOB_LIMITS_PORT, useValue: new RemoteJobLimits(jobs.channel) },
        { provide: ASSETS_PORT, useValue: new RemoteAssets(assets.channel, assets.bytes) },
        { provide: MODERATION_PORT, useValue: new RemoteModeration(assets.channel) },
        { provide: STORAGE_PORT, useValue: new RemoteStorage(assets.channel) },
        { provide: VALIDATION_PORT, useValue: new RemoteValidation(callerOf(service, 'validation', tracer).channel) },
        ...logs,
      ],
      exports: [
        JOBS_PORT,
        CREDITS_PORT,
        JOB_LIMITS_PORT,
        ASSETS_PORT,
        STORAGE_PORT,
        MODERATION_PORT,
        VALIDATION_PORT,
        ...logs.map(({ provide }) => provide),
      ],
    };
  }
}
