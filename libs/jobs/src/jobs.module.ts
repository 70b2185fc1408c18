import { Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import { JOB_LOG_PORT, JOBS_PORT, LEASE_AUTHORITY_PORT, PEERS_PORT, WORK_PORT } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import { CheckpointFolder, LogReader, Sequencer, StoppedBefore } from '@heddle/platform-event-log';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { MessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Logger, Tracer } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { AgeLog } from './age-log/age-log.js';
import { LogCheckpoints } from './age-log/log-checkpoints.js';
import { LogPartitions } from './age-log/log-partitions.js';
import { CancelJobHandler } from './cancel-job/cancel-job.handler.js';
import { CommitBatch } from './commit-job-events/commit-batch.js';
import { CommitJobEventsHandler } from './commit-job-events/commit-job-events.handler.js';
import { CommittedJobs } from './commit-job-events/committed-job.js';
import { SweepCommits } from './commit-job-events/sweep-commits.js';
import { ClockGuard } from './enforce-deadlines/clock-guard.js';
import { DeadlineEnforcer } from './enforce-deadlines/deadline-enforcer.js';
import { RescueGrace } from './enforce-deadlines/rescue-grace.js';
import { LocalLeaseAuthority } from './find-holder/local-lease-authority.js';
import { GetJobHandler } from './get-job/get-job.handler.js';
import { GetWorkflowHandler } from './get-workflow/get-workflow.handler.js';
import { IngestReportsHandler } from './ingest-worker-events/ingest-reports.handler.js';
import { LatestProgress } from './ingest-worker-events/latest-progress.js';
import { StoredReports } from './ingest-worker-events/stored-reports.js';
import { ShowReportsHandler } from './ingest-worker-events/show-reports.handler.js';
import { WorkerNews } from './ingest-worker-events/worker-news.js';
import { backgroundOf } from './jobs-background.js';
import { LocalJobLog } from './job-log.port.js';
import { JobsLog } from './jobs-log.js';
import { JobsMetrics } from './jobs-metrics.js';
import { JobsBackground, JobsRuntime, JobsSubscribers } from './jobs-runtime.js';
import { JOBS_ROLE, JOBS_SCHEMA } from './jobs-schema/jobs-migrations.js';
import { JobsSettings } from './jobs-settings.js';
import { JobReaders, LocalJobs } from './jobs.port.js';
import { KnownJobs } from './known-jobs/known-jobs.js';
import { KnownWorkflows } from './known-jobs/known-workflows.js';
import { LoadJob } from './known-jobs/load-job.js';
import { UnreadableJobs } from './known-jobs/unreadable-jobs.js';
import { AttemptStarts } from './lease-job/attempt-starts.js';
import { CredentialVault } from './lease-job/credential-vault.js';
import { FindCredentials } from './lease-job/find-credentials.js';
import { GrantLease, LeaseMemory } from './lease-job/grant-lease.js';
import { HandBackLeaseHandler } from './lease-job/hand-back-lease.handler.js';
import { LeaseAtOnce } from './lease-job/lease-at-once.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { LeaseWatch } from './lease-job/lease-watch.js';
import { RenewLeasesHandler } from './lease-job/renew-leases.handler.js';
import { QueueLook } from './lease-job/queue-look.js';
import { UnnamedLeases } from './lease-job/unnamed-leases.js';
import { ListCursors } from './list-jobs/list-cursor.js';
import { ListJobsHandler } from './list-jobs/list-jobs.handler.js';
import { LocalPeers } from './peers.port.js';
import { provide } from './provide.js';
import type { TypedToken } from './provide.js';
import { JobPurger } from './purge-jobs/job-purger.js';
import { JobHoldingsReader } from './read-holdings/job-holdings.js';
import { JobEventsRelay } from './relay-job-events/job-events-relay.js';
import { JobMessages } from './relay-job-events/job-messages.js';
import { LiveJobs } from './relay-job-events/live-jobs.js';
import type { LiveJobFeed } from './relay-job-events/live-jobs.js';
import { OlderEnvelopes } from './relay-job-events/older-envelopes.js';
import { RelayStop } from './relay-job-events/relay-stop.js';
import { QueuePositions } from './queue-position/queue-positions.js';
import { HeldKeys } from './submit-job/held-keys.js';
import { SubmissionBatch } from './submit-job/submission-batch.js';
import { SubmissionQueue } from './submit-job/submission-queue.js';
import { SubmissionMemory, SubmitJobHandler } from './submit-job/submit-job.handler.js';
import { CommitNews } from './tell-peers/commit-news.js';
import { LogFormat } from './tell-peers/log-format.js';
import { Peers } from './tell-peers/peers.js';
import type { ConnectPeer } from './tell-peers/peers.js';
import { Replicas } from './tell-peers/replicas.js';
import { TraceJobs } from './trace-jobs.js';
import { HeldLeases, LocalWork, WorkerReports } from './work.port.js';
import { SnapshotWatch } from './watch-snapshots/snapshot-watch.js';
import { JOBS_METRICS } from './metrics.js';

interface RelayCheck {
  readonly name: string;
  readonly optional: true;
  readonly check: () => string | null;
}

export interface JobsModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly settings?: Partial<JobsSettings>;
  readonly metrics?: MetricsRegistry;
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
  /** Null or absent: nothing is traced. */
  readonly tracer?: Tracer | null;
  /** Where open streams of this process hear of committed events. */
  readonly feed?: LiveJobFeed;
  /** Where other services hear of them, in the order of the log, and gateways of progress. */
  readonly bus?: MessageBus;
  /** This process is the only one on its database: it takes the sequencer's lease without waiting for the old one to run out. */
  readonly alone?: boolean;
  /** Where the other replicas reach this one's internal port, such as `http://10.0.0.7:9101`; without it there are none. */
  readonly address?: string;
  /** Calls another replica at such an address. */
  readonly peers?: ConnectPeer;
  /** Where signed checkpoints of the log lie; null or absent: in the database alone. */
  readonly checkpoints?: { readonly folder: string; readonly keyFile: string | null } | null;
  /** Gets checks of the relay and of the log. */
  readonly readiness?: { push(check: RelayCheck): unknown };
}

const POOL: TypedToken<Pool> = { symbol: Symbol('JobsPool') };
/** For what clients read. */
const READS: TypedToken<Pool> = { symbol: Symbol('JobsReads') };
const ALONE_GATHERS = { gatherMs: 40, busyGatherMs: 120 };
/** Events that the relay reads and moves its cursor over at once; so many may be told twice after a crash. */
const RELAY_BATCH = 4_000;
const SILENT_FEED: LiveJobFeed = { publish: () => undefined };

type Subscribers = [
  KnownJobs,
  TraceJobs,
  LiveJobs,
  LeaseWatch,
  LeaseDispatcher,
  CredentialVault,
  JobsMetrics,
  CommitNews,
];

const BACKGROUND = [
  Sequencer,
  LogReader,
  ClockGuard,
  DeadlineEnforcer,
  JobPurger,
  LogPartitions,
  AgeLog,
  LeaseDispatcher,
  CredentialVault,
  Replicas,
  Peers,
  SnapshotWatch,
] as const;

interface Logged {
  readonly pool: Pool;
  readonly log: JobsLog;
  readonly metrics: JobsMetrics;
  readonly peers: Peers;
  readonly replicas: Replicas;
}

interface RelayParts {
  readonly jobMessages: JobMessages;
  readonly bus: MessageBus;
}

/** In the order of a job's life. */
const slices: readonly Provider[] = [
  // It is submitted,
  provide(LogPartitions, POOL, JobsSettings, JobsLog),
  provide(SubmissionBatch, POOL, JobsSettings, LogPartitions),
  provide(SubmissionQueue, SubmissionBatch, JobsSettings, JobsMetrics),
  provide(HeldKeys, POOL, JobsSettings),
  provide(SubmissionMemory, KnownWorkflows, CredentialVault, CommittedJobs),
  provide(SubmitJobHandler, SubmissionQueue, QueuePositions, SubmissionMemory, LeaseAtOnce, JobsSettings),
  // read,
  provide(QueuePositions, POOL),
  provide(GetJobHandler, READS, QueuePositions),
  provide(ListCursors, READS),
  provide(ListJobsHandler, READS, ListCursors, QueuePositions),
  provide(GetWorkflowHandler, READS),
  provide(JobReaders, GetJobHandler, ListJobsHandler, GetWorkflowHandler, QueuePositions),
  // leased,
  provide(FindCredentials, CredentialVault, Peers),
  provide(LeaseMemory, KnownJobs, KnownWorkflows, FindCredentials),
  provide(GrantLease, POOL, CommitJobEventsHandler, LeaseMemory, JobsSettings),
  provide(QueueLook, POOL),
  provide(LeaseDispatcher, QueueLook, GrantLease, HandBackLeaseHandler, JobsLog, Peers),
  provide(LeaseAtOnce, LeaseDispatcher, HandBackLeaseHandler, CommittedJobs, JobsSettings),
  provide(RenewLeasesHandler, POOL, JobsSettings),
  provide(LeaseWatch),
  provide(AttemptStarts, POOL),
  provide(HandBackLeaseHandler, CommitJobEventsHandler, LatestProgress, AttemptStarts),
  provide(UnnamedLeases, POOL, HandBackLeaseHandler, JobsSettings),
  provide(HeldLeases, RenewLeasesHandler, LeaseWatch, HandBackLeaseHandler, UnnamedLeases),
  // reported on by its worker,
  provide(LatestProgress, POOL),
  provide(StoredReports, POOL),
  provide(IngestReportsHandler, CommitJobEventsHandler, AttemptStarts, StoredReports, JobsMetrics),
  provide(ShowReportsHandler, LatestProgress, WorkerNews, JobsMetrics, JobsLog),
  provide(WorkerReports, IngestReportsHandler, ShowReportsHandler),
  // canceled, ended by a deadline, or purged.
  provide(CancelJobHandler, GetJobHandler, CommitJobEventsHandler),
  provide(ClockGuard, POOL, JobsSettings, JobsLog, RescueGrace),
  provide(SweepCommits, CommitJobEventsHandler, UnreadableJobs),
  provide(DeadlineEnforcer, POOL, SweepCommits, LatestProgress, RescueGrace),
  provide(JobPurger, POOL, SweepCommits, JobsSettings),
  // Every change of it is committed and told in one place.
  provide(LoadJob, POOL, UnreadableJobs),
  provide(CommitBatch, POOL, JobsSettings, JobsMetrics, LogFormat),
  provide(CommitJobEventsHandler, LoadJob, KnownJobs, CommittedJobs, CommitBatch),
  provide(CommittedJobs),
  provide(CommitNews, Sequencer, Peers),
  {
    provide: JobsSubscribers,
    inject: [KnownJobs, TraceJobs, LiveJobs, LeaseWatch, LeaseDispatcher, CredentialVault, JobsMetrics, CommitNews],
    useFactory: (...inOrder: Subscribers) => new JobsSubscribers(inOrder),
  },
];

/** Jobs: the log, the read model, keys, queue, leases and expiry. */
@Module({})
export class JobsModule {
  static register(options: JobsModuleOptions): DynamicModule {
    const settings = new JobsSettings(options.settings);
    const pool = withGenericPlans(options.database.pool(JOBS_ROLE));
    const log = new JobsLog(options.logger ?? null);
    const registry = options.metrics ?? new MetricsRegistry();
    const metrics = new JobsMetrics(registry);
    const format = new LogFormat(pool);
    const replicas = new Replicas(pool, options.address ?? null, settings.peerBeatMs, format);
    const unreadable = new UnreadableJobs(log);
    const peers = new Peers(replicas, options.peers ?? null, registry.counter(JOBS_METRICS.hintsFailed));
    registry.gauge(JOBS_METRICS.peersLive, () => replicas.peers.length);
    const grace = new RescueGrace(settings);
    registry.gauge(JOBS_METRICS.rescueGrace, () => grace.leftSeconds);
    const logged = { pool, log, metrics, peers, replicas };
    const stop = new RelayStop(log, replicas);
    registry.gauge(JOBS_METRICS.relayStopped, () => Number(stop.reason !== null));
    registry.gauge(JOBS_METRICS.unreadableJobs, () => unreadable.jobs().length);
    registry.gauge(JOBS_METRICS.logFormat, () => [
      [{ kind: 'reads' }, format.reads],
      [{ kind: 'floor' }, format.floor],
    ]);
    const folder = folderOf(options);
    const checkpoints = new LogCheckpoints(pool, folder, log);
    const ageLog = new AgeLog(pool, checkpoints, settings, log);
    observeAge(registry, ageLog, checkpoints);
    options.readiness?.push({ name: 'job events', optional: true, check: () => stop.reason });
    const snapshots = new SnapshotWatch(pool, settings, log);
    registry.gauge(JOBS_METRICS.oldestSnapshot, () => snapshots.seconds);
    options.readiness?.push({ name: 'snapshots', optional: true, check: () => snapshots.reason });
    options.readiness?.push({ name: 'log', optional: true, check: () => ageLog.trouble });
    const jobMessages = new JobMessages(new OlderEnvelopes(pool), new JobHoldingsReader(pool));
    const bus = options.bus ?? new MemoryMessageBus();
    const relay = relayOf({ ...logged, jobMessages, bus }, stop, options.alone ?? false);
    return {
      module: JobsModule,
      providers: [
        { provide: POOL.symbol, useValue: pool },
        { provide: READS.symbol, useValue: withGenericPlans(options.database.pool(JOBS_ROLE, 'reads')) },
        { provide: JobsSettings, useValue: settings },
        { provide: JobsLog, useValue: log },
        { provide: JobsMetrics, useValue: metrics },
        { provide: TraceJobs, useValue: new TraceJobs(options.tracer ?? null) },
        { provide: Replicas, useValue: replicas },
        { provide: SnapshotWatch, useValue: snapshots },
        { provide: RescueGrace, useValue: grace },
        { provide: LogFormat, useValue: format },
        { provide: UnreadableJobs, useValue: unreadable },
        { provide: Peers, useValue: peers },
        { provide: AgeLog, useValue: ageLog },
        { provide: LiveJobs, useValue: new LiveJobs(options.feed ?? SILENT_FEED) },
        { provide: KnownJobs, useValue: new KnownJobs(settings.knownJobs) },
        { provide: KnownWorkflows, useValue: new KnownWorkflows(settings.knownWorkflowBytes) },
        { provide: CredentialVault, useValue: new CredentialVault(settings.queueDepth * 2) },
        { provide: WorkerNews, useValue: new WorkerNews(bus, metrics) },
        { provide: Sequencer, useValue: sequencerOf({ ...logged, relay }, options) },
        { provide: LogReader, useValue: relay },
        ...slices,
        provide(LocalJobs, SubmitJobHandler, HeldKeys, JobReaders, CancelJobHandler),
        provide(LocalWork, LeaseDispatcher, HeldLeases, WorkerReports),
        provide(LocalPeers, LeaseDispatcher, LeaseWatch, CredentialVault, Sequencer, LogReader),
        provide(JobHoldingsReader, POOL),
        { provide: JobMessages, useValue: jobMessages },
        provide(LocalJobLog, POOL, JobHoldingsReader, JobMessages),
        provide(LocalLeaseAuthority, POOL),
        { provide: JOBS_PORT, useExisting: LocalJobs },
        { provide: WORK_PORT, useExisting: LocalWork },
        { provide: PEERS_PORT, useExisting: LocalPeers },
        { provide: JOB_LOG_PORT, useExisting: LocalJobLog },
        { provide: LEASE_AUTHORITY_PORT, useExisting: LocalLeaseAuthority },
        {
          provide: JobsBackground,
          inject: [...BACKGROUND],
          useFactory: backgroundOf({ pool, settings, log, metrics, alone: options.alone ?? false }),
        },
        provide(JobsRuntime, CommittedJobs, JobsSubscribers, JobsBackground),
      ],
      exports: [JOBS_PORT, WORK_PORT, PEERS_PORT, JOB_LOG_PORT, LEASE_AUTHORITY_PORT, JobsRuntime],
    };
  }
}

function folderOf({ checkpoints }: JobsModuleOptions): CheckpointFolder | null {
  if (checkpoints === null || checkpoints === undefined) return null;
  return new CheckpointFolder(checkpoints.folder, checkpoints.keyFile ?? undefined);
}

function observeAge(registry: MetricsRegistry, ageLog: AgeLog, checkpoints: LogCheckpoints): void {
  registry.gauge(JOBS_METRICS.logPartitions, () => [
    [{ state: 'attached' }, ageLog.counts.attached],
    [{ state: 'detached' }, ageLog.counts.detached],
  ]);
  registry.gauge(JOBS_METRICS.logOldestPartition, () => ageLog.counts.oldest);
  registry.gauge(JOBS_METRICS.checkpointAge, () => checkpoints.ageSeconds);
  registry.gauge(JOBS_METRICS.logTrouble, () => [
    [{ of: 'checkpoint' }, Number(checkpoints.trouble !== null)],
    [{ of: 'partition' }, Number(checkpoints.trouble === null && ageLog.trouble !== null)],
  ]);
}

/**
 * The statements of this service are prepared, long, and planned well without their values; PostgreSQL would plan the
 * submission anew each time, which costs more than running it. A plan made while the tables are small must stay right
 * when they are large: every statement walks indexes, in their order. A bitmap would fetch every version that cannot be pruned.
 */
function withGenericPlans(pool: Pool): Pool {
  pool.options.options =
    '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';
  return pool;
}

/** The bus hears of an event as soon as it has its place in the log. */
function sequencerOf(
  { pool, log, metrics, peers, replicas, relay }: Logged & { readonly relay: LogReader },
  { alone }: JobsModuleOptions,
): Sequencer {
  return new Sequencer({
    pool,
    schema: JOBS_SCHEMA,
    holder: replicas.id,
    takeOver: alone ?? false,
    // Only consumers with checkpoints wait for a seq where every service lives in this process: fewer, larger batches.
    ...(alone === true ? ALONE_GATHERS : {}),
    onTurn: (turn) => {
      metrics.sequenced(turn);
      if (turn.count === 0) return;
      relay.nudge();
      if (relay.leader !== null) peers.tell(relay.leader, { sequenced: true });
    },
    onAlarm: (alarm) => log.noticed('the log does not move', { ...alarm }),
    onError: (error) => log.failed('the log was not sequenced', error),
  });
}

function relayOf(
  { pool, log, metrics, replicas, jobMessages, bus }: Logged & RelayParts,
  stop: RelayStop,
  alone: boolean,
): LogReader {
  const relay = new JobEventsRelay(bus, jobMessages, metrics);
  return new LogReader({
    pool,
    schema: JOBS_SCHEMA,
    consumer: 'jobs-relay',
    batchSize: RELAY_BATCH,
    holder: replicas.id,
    takeOver: alone,
    mayLead: () => stop.mayLead(),
    handle: async (events) => {
      await relay.publish(events);
      stop.wentOn();
    },
    onError: (error) => {
      if (error instanceof StoppedBefore) stop.stopped(error);
      else log.failed('committed events were not published', error);
    },
  });
}
