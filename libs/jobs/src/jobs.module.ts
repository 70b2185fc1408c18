import { BackgroundLogger } from '@heddle/platform-database';
import { Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import {
  CREDITS_PORT,
  JOB_LIMITS_PORT,
  JOB_LOG_PORT,
  JOBS_PORT,
  LEASE_AUTHORITY_PORT,
  PEERS_PORT,
  TASK_CREDITS_PORT,
  WORK_PORT,
  WORKER_POOLS_PORT,
} from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { checkpointsIn } from './age-log/log-checkpoints.provider.js';
import { COMMITS } from './commit-job-events/commit.providers.js';
import { CREDITS } from './credits.providers.js';
import { DEADLINES } from './enforce-deadlines/deadline.providers.js';
import { LocalLeaseAuthority } from './find-holder/local-lease-authority.js';
import { REPORTS } from './ingest-worker-events/report.providers.js';
import { jobsBackground } from './jobs-background.js';
import { JOBS_ALONE, JOBS_BUS, jobsPools } from './jobs-connections.js';
import { jobsGauges } from './jobs-telemetry/jobs-gauges.js';
import { JobsMetrics } from './jobs-telemetry/jobs-metrics.js';
import type { JobsModuleOptions } from './jobs-module-options.js';
import { JobsRuntime } from './jobs-runtime.js';
import { LEASES } from './lease-job/lease.providers.js';
import { LimitAccountsHandler } from './limit-accounts/limit-accounts.handler.js';
import { ListCursors } from './list-jobs/list-cursor.js';
import { localCredits } from './local-bindings/local-credits.js';
import { LocalJobLog } from './local-bindings/local-job-log.js';
import { LOCAL_JOBS } from './local-bindings/local-jobs.js';
import { localPeers } from './local-bindings/local-peers.js';
import { LocalTaskCredits } from './local-bindings/local-task-credits.js';
import { localWork } from './local-bindings/local-work.js';
import { REPLICAS, replicasOf } from './notify-peers/replica.providers.js';
import { EVENT_LOG } from './relay-job-events/event-log.providers.js';
import { LiveJobs } from './relay-job-events/live-jobs.js';
import type { LiveJobFeed } from './relay-job-events/live-jobs.js';
import { CREDENTIAL_KEYS } from './seal-credentials/credential-keys.js';
import { JobsSettings } from './settings.js';
import { SUBMISSION } from './submit-job/submission.providers.js';
import { TraceJobs } from './jobs-telemetry/trace-jobs.js';
import { LocalWorkerPools } from './watch-pools/local-worker-pools.js';
import { PoolMembers } from './watch-pools/pool-members.js';

const SILENT_FEED: LiveJobFeed = { publish: () => undefined };

/** In the order of a job's lifecycle. */
const useCases: readonly Provider[] = [
  ...SUBMISSION,
  ...LOCAL_JOBS,
  ListCursors,
  ...CREDITS,
  ...LEASES,
  ...REPORTS,
  ...DEADLINES,
  ...COMMITS,
  ...EVENT_LOG,
  ...REPLICAS,
];

/** Jobs: the log, the read model, keys, queue, leases and expiry. */
@Module({})
export class JobsModule {
  static register(options: JobsModuleOptions): DynamicModule {
    const registry = options.metrics ?? new MetricsRegistry();
    return {
      module: JobsModule,
      providers: [
        ...jobsPools(options.database),
        { provide: JOBS_BUS, useValue: options.bus ?? new MemoryMessageBus() },
        { provide: JOBS_ALONE, useValue: options.alone ?? false },
        { provide: CREDENTIAL_KEYS, useValue: options.credentialKeys ?? null },
        { provide: JobsSettings, useValue: new JobsSettings(options.settings) },
        { provide: BackgroundLogger, useValue: new BackgroundLogger(options.logger ?? null) },
        { provide: JobsMetrics, useValue: new JobsMetrics(registry) },
        { provide: TraceJobs, useValue: new TraceJobs(options.tracer ?? null) },
        { provide: LiveJobs, useValue: new LiveJobs(options.feed ?? SILENT_FEED) },
        ...replicasOf(options, registry),
        checkpointsIn(options),
        ...useCases,
        jobsGauges(registry, options.readiness),
        jobsBackground,
        JobsRuntime,
        localWork,
        localPeers,
        localCredits,
        { provide: TASK_CREDITS_PORT, useClass: LocalTaskCredits },
        { provide: JOB_LIMITS_PORT, useClass: LimitAccountsHandler },
        { provide: JOB_LOG_PORT, useClass: LocalJobLog },
        { provide: LEASE_AUTHORITY_PORT, useClass: LocalLeaseAuthority },
        PoolMembers,
        LocalWorkerPools,
        { provide: WORKER_POOLS_PORT, useExisting: LocalWorkerPools },
      ],
      exports: [
        JOBS_PORT,
        CREDITS_PORT,
        TASK_CREDITS_PORT,
        JOB_LIMITS_PORT,
        WORK_PORT,
        PEERS_PORT,
        JOB_LOG_PORT,
        LEASE_AUTHORITY_PORT,
        WORKER_POOLS_PORT,
        JobsRuntime,
      ],
    };
  }
}
