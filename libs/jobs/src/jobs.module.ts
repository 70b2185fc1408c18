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
import type { Database } from '@heddle/platform-database';
import { CheckpointFolder } from '@heddle/platform-event-log';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { MessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Logger, Tracer } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { AgeLog } from './age-log/age-log.js';
import { LogCheckpoints } from './age-log/log-checkpoints.js';
import { LogPartitions } from './age-log/log-partitions.js';
import { CancelJobHandler } from './cancel-job/cancel-job.handler.js';
import { GetJobHandler } from './get-job/get-job.handler.js';
import { GetWorkflowHandler } from './get-workflow/get-workflow.handler.js';
import { ListJobsHandler } from './list-jobs/list-jobs.handler.js';
import { QueueDepth } from './observe-queue/queue-depth.js';
import { QueuePositions } from './queue-position/queue-positions.js';
import { RelayListener } from './relay-job-events/relay-listener.js';
import { SequencerListener } from './sequence-events/sequencer-listener.js';
import { HeldKeys } from './submit-job/held-keys.js';
import { SubmitJobHandler } from './submit-job/submit-job.handler.js';
import { CommitBatch } from './commit-job-events/commit-batch.js';
import { CommitJobEventsHandler } from './commit-job-events/commit-job-events.handler.js';
import { CommittedJobs } from './commit-job-events/committed-job.js';
import { FailedJobLog } from './commit-job-events/failed-job-log.js';
import { SweepCommits } from './commit-job-events/sweep-commits.js';
import { DeadlineClock } from './enforce-deadlines/deadline-clock.js';
import { DeadlineEnforcer } from './enforce-deadlines/deadline-enforcer.js';
import { OverdueJobs } from './enforce-deadlines/overdue-jobs.js';
import { RescueGrace } from './enforce-deadlines/rescue-grace.js';
import { LocalLeaseAuthority } from './find-holder/local-lease-authority.js';
import { IngestReportsHandler } from './ingest-worker-events/ingest-reports.handler.js';
import { LatestProgress } from './ingest-worker-events/latest-progress.js';
import { StoredReports } from './ingest-worker-events/stored-reports.js';
import { ShowReportsHandler } from './ingest-worker-events/show-reports.handler.js';
import { WorkerNews } from './ingest-worker-events/worker-news.js';
import { localCredits } from './local-credits.js';
import { LocalJobLog } from './local-job-log.js';
import { localJobs } from './local-jobs.js';
import { localPeers } from './local-peers.js';
import { LocalTaskCredits } from './local-task-credits.js';
import { JobsLogger } from './jobs-logger.js';
import { JobsMetrics } from './jobs-metrics.js';
import { JobsSettings } from './settings.js';
import { KnownJobs } from './known-jobs/known-jobs.js';
import { KnownWorkflows } from './known-jobs/known-workflows.js';
import { LoadJob } from './known-jobs/load-job.js';
import { UnreadableJobs } from './known-jobs/unreadable-jobs.js';
import { AttemptStarts } from './lease-job/attempt-starts.js';
import { CredentialVault } from './lease-job/credential-vault.js';
import { FindCredentials } from './lease-job/find-credentials.js';
import { HandBackLeaseHandler } from './lease-job/hand-back-lease.handler.js';
import { LeaseAtOnce } from './lease-job/lease-at-once.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { LeaseNotifier } from './lease-job/lease-notifier.js';
import { QueueLooks } from './lease-job/queue-looks.js';
import { UnnamedLeases } from './lease-job/unnamed-leases.js';
import { ListCursors } from './list-jobs/list-cursor.js';
import { JobPurger } from './purge-jobs/job-purger.js';
import { JobHoldingsReader } from './read-holdings/job-holdings.js';
import { JobEventsRelay } from './relay-job-events/job-events-relay.js';
import { JobMessages } from './relay-job-events/job-messages.js';
import { LiveJobs } from './relay-job-events/live-jobs.js';
import type { LiveJobFeed } from './relay-job-events/live-jobs.js';
import { OlderEnvelopes } from './relay-job-events/older-envelopes.js';
import { RelayStop } from './relay-job-events/relay-stop.js';
import { SubmissionBatch } from './submit-job/submission-batch.js';
import { SubmissionPlans } from './submit-job/submission-plans.js';
import { SubmissionQueue } from './submit-job/submission-queue.js';
import { SubmissionWriter } from './submit-job/submission-writer.js';
import { CREDENTIAL_KEYS } from './seal-credentials/credential-keys.js';
import type { CredentialKeys } from './seal-credentials/credential-keys.js';
import { KeepCredentials } from './seal-credentials/keep-credentials.js';
import { SealedRows } from './seal-credentials/sealed-rows.js';
import { WatchCredentialKeys } from './seal-credentials/watch-credential-keys.js';
import { CommitNews } from './notify-peers/commit-news.js';
import { ChangeBalanceHandler } from './change-balance/change-balance.handler.js';
import { CheckCreditsHandler } from './check-credits/check-credits.handler.js';
import { ReadLedgerHandler } from './read-ledger/read-ledger.handler.js';
import { ReserveTaskHandler } from './reserve-task/reserve-task.handler.js';
import { SetPriceHandler } from './set-price/set-price.handler.js';
import { SettleTaskHandler } from './settle-task/settle-task.handler.js';
import { ShowCreditsHandler } from './show-credits/show-credits.handler.js';
import { TakeHeartbeatHandler } from './take-heartbeat/take-heartbeat.handler.js';
import { KnownTerms } from './limit-accounts/known-terms.js';
import { LimitAccountsHandler } from './limit-accounts/limit-accounts.handler.js';
import { LogFormat } from './notify-peers/log-format.js';
import { Peers } from './notify-peers/peers.js';
import type { ConnectPeer } from './notify-peers/peers.js';
import { ReplicaTable } from './notify-peers/replicas.js';
import { TraceJobs } from './trace-jobs.js';
import { SnapshotCheck } from './check-snapshots/snapshot-check.js';
import { JOBS_METRICS } from './metrics.js';
import { CommitSubscriptions, commitSubscribers } from './commit-job-events/commit-subscribers.js';
import { EndOrphanedLeases } from './enforce-deadlines/end-orphaned-leases.js';
import { jobsBackground } from './jobs-background.js';
import { JOBS_ALONE, JOBS_BUS, JOBS_POOL, jobsPools } from './jobs-connections.js';
import { jobsGauges } from './jobs-gauges.js';
import type { JobsReadiness } from './observed.js';
import { JobsRuntime } from './jobs-runtime.js';
import { GrantLease } from './lease-job/grant-lease.js';
import { LeaseDelivery } from './lease-job/lease-delivery.js';
import { LeasedWorkflow } from './lease-job/leased-workflow.js';
import { LeaveCredentials } from './lease-job/leave-credentials.js';
import { SweepVault } from './lease-job/sweep-vault.js';
import { relayReader } from './relay-job-events/relay.provider.js';
import { LogController } from './sequence-events/log-controller.js';
import { sequencer } from './sequence-events/sequencer.provider.js';
import { WorkerLeases } from './serve-workers/worker-leases.js';
import { JobHandOver } from './submit-job/job-hand-over.js';
import { ReplicaMembership } from './notify-peers/replica-membership.js';
import { localWork } from './local-work.js';
import { LocalWorkerPools } from './watch-pools/local-worker-pools.js';

export interface JobsModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly settings?: Partial<JobsSettings>;
  readonly metrics?: MetricsRegistry;
  readonly logger?: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Null or absent: tracing is off. */
  readonly tracer?: Tracer | null;
  /** Notifies this process's open streams of committed events. */
  readonly feed?: LiveJobFeed;
  /** Carries events to other services in log order, and progress to gateways. */
  readonly bus?: MessageBus;
  /**
   * This process is alone on its database: it takes the sequencer's lease without waiting for the old one to expire.
   */
  readonly alone?: boolean;
  /**
   * Where other replicas reach this one's internal port, such as `http://10.0.0.7:9101`; without it there are no other
   * replicas.
   */
  readonly address?: string;
  /** Calls another replica at such an address. */
  readonly peers?: ConnectPeer;
  /** Folder of signed checkpoints of the log; null or absent: checkpoints only in the database. */
  readonly checkpoints?: { readonly folder: string; readonly keyFile: string | null } | null;
  /** Keys that seal partner credentials; null or absent: no surface of this process stores any. */
  readonly credentialKeys?: CredentialKeys | null;
  /** Receives the checks of the relay and the log. */
  readonly readiness?: JobsReadiness;
}

const SILENT_FEED: LiveJobFeed = { publish: () => undefined };

/** In the order of a job's lifecycle. */
const useCases: readonly Provider[] = [
  // Submission
  SubmitJobHandler,
  HeldKeys,
  LogPartitions,
  SubmissionBatch,
  SubmissionQueue,
  KnownTerms,
  SubmissionPlans,
  SubmissionWriter,
  SealedRows,
  KeepCredentials,
  JobHandOver,
  // Reads and cancel
  GetJobHandler,
  ListJobsHandler,
  ListCursors,
  GetWorkflowHandler,
  QueuePositions,
  CancelJobHandler,
  // Credits
  ShowCreditsHandler,
  ChangeBalanceHandler,
  ReadLedgerHandler,
  SetPriceHandler,
  CheckCreditsHandler,
  ReserveTaskHandler,
  SettleTaskHandler,
  // Leases
  FindCredentials,
  LeasedWorkflow,
  GrantLease,
  LeaseDelivery,
  QueueLooks,
  LeaseDispatcher,
  LeaseAtOnce,
  TakeHeartbeatHandler,
  LeaseNotifier,
  AttemptStarts,
  HandBackLeaseHandler,
  UnnamedLeases,
  WorkerLeases,
  // Reports of workers
  LatestProgress,
  StoredReports,
  IngestReportsHandler,
  ShowReportsHandler,
  WorkerNews,
  // Deadlines and purge
  DeadlineClock,
  SweepCommits,
  OverdueJobs,
  DeadlineEnforcer,
  EndOrphanedLeases,
  JobPurger,
  // Commits
  UnreadableJobs,
  LoadJob,
  CommitBatch,
  CommitJobEventsHandler,
  CommittedJobs,
  FailedJobLog,
  commitSubscribers,
  CommitSubscriptions,
  // Event log and relay
  LogController,
  SequencerListener,
  sequencer,
  OlderEnvelopes,
  JobHoldingsReader,
  JobMessages,
  JobEventsRelay,
  RelayStop,
  RelayListener,
  relayReader,
  AgeLog,
  SnapshotCheck,
  QueueDepth,
  // Other replicas
  CommitNews,
  SweepVault,
  WatchCredentialKeys,
  LeaveCredentials,
  ReplicaMembership,
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
        { provide: JobsLogger, useValue: new JobsLogger(options.logger ?? null) },
        { provide: JobsMetrics, useValue: new JobsMetrics(registry) },
        { provide: TraceJobs, useValue: new TraceJobs(options.tracer ?? null) },
        { provide: LiveJobs, useValue: new LiveJobs(options.feed ?? SILENT_FEED) },
        ...sizedBySettings,
        ...replicaProviders(options, registry),
        checkpointsIn(options),
        ...useCases,
        jobsGauges(registry, options.readiness),
        jobsBackground,
        JobsRuntime,
        localJobs,
        localWork,
        localPeers,
        localCredits,
        { provide: TASK_CREDITS_PORT, useClass: LocalTaskCredits },
        { provide: JOB_LIMITS_PORT, useClass: LimitAccountsHandler },
        { provide: JOB_LOG_PORT, useClass: LocalJobLog },
        { provide: LEASE_AUTHORITY_PORT, useClass: LocalLeaseAuthority },
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

/** Classes that need one number of the settings, or do not use Nest. */
const sizedBySettings: readonly Provider[] = [
  { provide: RescueGrace, inject: [JobsSettings], useFactory: (settings: JobsSettings) => new RescueGrace(settings) },
  {
    provide: KnownJobs,
    inject: [JobsSettings],
    useFactory: ({ knownJobs }: JobsSettings) => new KnownJobs(knownJobs),
  },
  {
    provide: KnownWorkflows,
    inject: [JobsSettings],
    useFactory: ({ knownWorkflowBytes }: JobsSettings) => new KnownWorkflows(knownWorkflowBytes),
  },
  {
    provide: CredentialVault,
    inject: [JobsSettings],
    useFactory: ({ queueDepth }: JobsSettings) => new CredentialVault(queueDepth * 2),
  },
];

function replicaProviders({ address, peers }: JobsModuleOptions, registry: MetricsRegistry): readonly Provider[] {
  const hintsFailed = registry.counter(JOBS_METRICS.hintsFailed);
  return [
    { provide: LogFormat, inject: [JOBS_POOL], useFactory: (pool: Pool) => new LogFormat(pool) },
    {
      provide: ReplicaTable,
      inject: [JOBS_POOL, JobsSettings, LogFormat],
      useFactory: (pool: Pool, { peerHeartbeatMs }: JobsSettings, format: LogFormat) =>
        new ReplicaTable(pool, address ?? null, peerHeartbeatMs, format),
    },
    {
      provide: Peers,
      inject: [ReplicaTable],
      useFactory: (replicas: ReplicaTable) => new Peers(replicas, peers ?? null, hintsFailed),
    },
  ];
}

function checkpointsIn({ checkpoints }: JobsModuleOptions): Provider {
  const folder = checkpoints ? new CheckpointFolder(checkpoints.folder, checkpoints.keyFile ?? undefined) : null;
  return {
    provide: LogCheckpoints,
    inject: [JOBS_POOL, JobsLogger],
    useFactory: (pool: Pool, log: JobsLogger) => new LogCheckpoints(pool, folder, log),
  };
}
