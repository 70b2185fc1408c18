import type { FactoryProvider } from '@nestjs/common';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { AgeLog } from './age-log/age-log.js';
import { LogPartitions } from './age-log/log-partitions.js';
import { DeadlineClock } from './enforce-deadlines/deadline-clock.js';
import { DeadlineEnforcer } from './enforce-deadlines/deadline-enforcer.js';
import { Repeating } from './enforce-deadlines/repeating.js';
import { JOBS_POOL } from './jobs-connections.js';
import { JobsLog } from './jobs-log.js';
import { JobsMetrics } from './jobs-metrics.js';
import { JobsSettings } from './settings.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { SweepVault } from './lease-job/sweep-vault.js';
import { JobPurger } from './purge-jobs/job-purger.js';
import { ReplicaTable } from './notify-peers/replicas.js';
import { SnapshotWatch } from './watch-snapshots/snapshot-watch.js';

/** A background task. */
export interface Background {
  start(): void;
  stop(): Promise<void>;
}

/** All background tasks, in the order in which they start and stop. */
export const JOBS_BACKGROUND = Symbol('JobsBackground');

const MIN_MS = 20;
const DEPTH_EVERY_MS = 5_000;
const AGE_LOG_EVERY_MS = 60_000;
const SWEEP_VAULT_EVERY_MS = 30_000;
const SNAPSHOTS_EVERY_MS = 10_000;

type Parts = [
  sequencer: Sequencer,
  relay: LogReader,
  clock: DeadlineClock,
  deadlines: DeadlineEnforcer,
  purger: JobPurger,
  partitions: LogPartitions,
  ageLog: AgeLog,
  dispatcher: LeaseDispatcher,
  replicas: ReplicaTable,
  sweep: SweepVault,
  snapshots: SnapshotWatch,
  metrics: JobsMetrics,
  settings: JobsSettings,
  log: JobsLog,
  pool: Pool,
];

/** Sequencer and relay, deadlines, purge, and the slow polls behind every notification. */
export const jobsBackground: FactoryProvider<readonly Background[]> = {
  provide: JOBS_BACKGROUND,
  inject: [
    Sequencer,
    LogReader,
    DeadlineClock,
    DeadlineEnforcer,
    JobPurger,
    LogPartitions,
    AgeLog,
    LeaseDispatcher,
    ReplicaTable,
    SweepVault,
    SnapshotWatch,
    JobsMetrics,
    JobsSettings,
    JobsLog,
    JOBS_POOL,
  ],
  useFactory: (...parts: Parts) => backgroundOf(...parts),
};

function backgroundOf(
  ...[
    sequencer,
    relay,
    clock,
    deadlines,
    purger,
    partitions,
    ageLog,
    dispatcher,
    replicas,
    sweep,
    snapshots,
    metrics,
    settings,
    log,
    pool,
  ]: Parts
): readonly Background[] {
  const { leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs, retryDelayMs, sweepIntervalMs, retentionMs } = settings;
  const shortest = Math.min(leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs) / 4;
  // Several looks within the silence that counts as an outage.
  const enforceEvery = Math.max(MIN_MS, Math.min(sweepIntervalMs, shortest, leaseMs / 12));
  const pollEvery = Math.max(MIN_MS, Math.min(sweepIntervalMs, retryDelayMs));
  const purgeEvery = Math.max(MIN_MS, Math.min(60_000, retentionMs / 4));
  const agesEvery = Math.max(MIN_MS, Math.min(AGE_LOG_EVERY_MS, settings.logPartitionMs / 2, settings.checkpointMs));
  const snapshotsEvery = Math.max(MIN_MS, Math.min(SNAPSHOTS_EVERY_MS, settings.snapshotAlarmMs / 4));
  const every = (ms: number, work: () => Promise<boolean>, failure: string): Repeating =>
    new Repeating(work, ms, (error) => log.failed(failure, error));
  const once = (work: () => Promise<void>) => async (): Promise<boolean> => {
    await work();
    return false;
  };
  const poll = async (): Promise<void> => await Promise.resolve(dispatcher.lookAgain());

  return [
    sequencer,
    relay,
    every(
      enforceEvery,
      async () => (await clock.isSane()) && (await deadlines.enforce(clock.trustedUntilMs)),
      'deadlines were not checked',
    ),
    every(
      purgeEvery,
      async () => (await clock.isSane()) && (await purger.purge(clock.trustedUntilMs)),
      'jobs past their retention were not purged',
    ),
    every(
      agesEvery,
      once(async () => await partitions.makeAhead()),
      'partitions of the log were not created in advance',
    ),
    every(agesEvery, async () => (await clock.isSane()) && (await ageLog.turn()), 'log maintenance failed'),
    every(
      DEPTH_EVERY_MS,
      once(async () => await metrics.readDepth(pool)),
      'the queue depth was not read',
    ),
    every(pollEvery, once(poll), 'waiting jobs were not polled'),
    every(
      settings.peerBeatMs,
      once(async () => await replicas.look()),
      'the table of replicas was not read',
    ),
    every(
      SWEEP_VAULT_EVERY_MS,
      once(async () => await sweep.sweep()),
      'credentials were not swept',
    ),
    every(
      snapshotsEvery,
      once(async () => await snapshots.look()),
      'open snapshots were not checked',
    ),
  ];
}
