import type { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import type { AgeLog } from './age-log/age-log.js';
import type { LogPartitions } from './age-log/log-partitions.js';
import type { ClockGuard } from './enforce-deadlines/clock-guard.js';
import type { DeadlineEnforcer } from './enforce-deadlines/deadline-enforcer.js';
import { Repeating } from './enforce-deadlines/repeating.js';
import type { JobsLog } from './jobs-log.js';
import type { JobsMetrics } from './jobs-metrics.js';
import { JobsBackground } from './jobs-runtime.js';
import type { JobsSettings } from './jobs-settings.js';
import type { CredentialVault } from './lease-job/credential-vault.js';
import type { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { SweepVault } from './lease-job/sweep-vault.js';
import type { JobPurger } from './purge-jobs/job-purger.js';
import type { Peers } from './tell-peers/peers.js';
import { ReplicaOccasions } from './tell-peers/replica-occasions.js';
import type { Replicas } from './tell-peers/replicas.js';
import type { SnapshotWatch } from './watch-snapshots/snapshot-watch.js';

const SHORTEST_MS = 20;
const DEPTH_EVERY_MS = 5_000;
const AGE_LOG_EVERY_MS = 60_000;
const SWEEP_VAULT_EVERY_MS = 30_000;
const SNAPSHOTS_EVERY_MS = 10_000;

type Parts = [
  sequencer: Sequencer,
  relay: LogReader,
  clock: ClockGuard,
  deadlines: DeadlineEnforcer,
  purger: JobPurger,
  partitions: LogPartitions,
  ageLog: AgeLog,
  dispatcher: LeaseDispatcher,
  vault: CredentialVault,
  replicas: Replicas,
  peers: Peers,
  snapshots: SnapshotWatch,
];

export interface BackgroundOptions {
  readonly pool: Pool;
  readonly settings: JobsSettings;
  readonly log: JobsLog;
  readonly metrics: JobsMetrics;
  readonly alone: boolean;
}

/** What runs beside the requests: sequencer and relay, deadlines, purge, and the slow nets under what is told at once. */
export function backgroundOf({ pool, settings, log, metrics, alone }: BackgroundOptions) {
  return (...parts: Parts): JobsBackground => {
    const [
      sequencer,
      relay,
      clock,
      deadlines,
      purger,
      partitions,
      ageLog,
      dispatcher,
      vault,
      replicas,
      peers,
      snapshots,
    ] = parts;
    const { leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs, retryDelayMs, sweepIntervalMs, retentionMs } =
      settings;
    const shortest = Math.min(leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs) / 4;
    // Several looks within the silence that counts as an outage.
    const enforceEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, shortest, leaseMs / 12));
    const pollEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, retryDelayMs));
    const purgeEvery = Math.max(SHORTEST_MS, Math.min(60_000, retentionMs / 4));
    const agesEvery = Math.max(
      SHORTEST_MS,
      Math.min(AGE_LOG_EVERY_MS, settings.logPartitionMs / 2, settings.checkpointMs),
    );
    const snapshotsEvery = Math.max(SHORTEST_MS, Math.min(SNAPSHOTS_EVERY_MS, settings.snapshotAlarmMs / 4));
    const every = (ms: number, work: () => Promise<boolean>, failure: string): Repeating =>
      new Repeating(work, ms, (error) => log.failed(failure, error));
    const once = (work: () => Promise<void>) => async (): Promise<boolean> => {
      await work();
      return false;
    };
    const poll = async (): Promise<void> => await Promise.resolve(dispatcher.lookAgain());
    const sweep = new SweepVault(pool, vault);
    return new JobsBackground(
      [
        sequencer,
        relay,
        every(
          enforceEvery,
          async () => (await clock.isSane()) && (await deadlines.enforce(clock.trustedUntilMs)),
          'deadlines were not looked at',
        ),
        every(
          purgeEvery,
          async () => (await clock.isSane()) && (await purger.purge(clock.trustedUntilMs)),
          'jobs past their retention were not purged',
        ),
        every(
          agesEvery,
          once(async () => await partitions.makeAhead()),
          'partitions of the log were not made ahead',
        ),
        every(agesEvery, async () => (await clock.isSane()) && (await ageLog.turn()), 'the log was not looked after'),
        every(
          DEPTH_EVERY_MS,
          once(async () => await metrics.readDepth(pool)),
          'the depth of the queue was not read',
        ),
        every(pollEvery, once(poll), 'waiting jobs were not polled'),
        every(
          settings.peerBeatMs,
          once(async () => await replicas.look()),
          'other replicas were not looked for',
        ),
        every(
          SWEEP_VAULT_EVERY_MS,
          once(async () => await sweep.sweep()),
          'credentials were not swept',
        ),
        every(
          snapshotsEvery,
          once(async () => await snapshots.look()),
          'open snapshots were not looked at',
        ),
      ],
      new ReplicaOccasions({ pool, log, alone }, replicas, peers, dispatcher, vault),
    );
  };
}
