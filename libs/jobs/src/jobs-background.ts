import type { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
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

const SHORTEST_MS = 20;
const DEPTH_EVERY_MS = 5_000;
const SWEEP_VAULT_EVERY_MS = 30_000;

type Parts = [
  sequencer: Sequencer,
  relay: LogReader,
  clock: ClockGuard,
  deadlines: DeadlineEnforcer,
  purger: JobPurger,
  dispatcher: LeaseDispatcher,
  vault: CredentialVault,
  replicas: Replicas,
  peers: Peers,
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
    const [sequencer, relay, clock, deadlines, purger, dispatcher, vault, replicas, peers] = parts;
    const { leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs, retryDelayMs, sweepIntervalMs, retentionMs } =
      settings;
    const shortest = Math.min(leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs) / 4;
    // Several looks within the silence that counts as an outage.
    const enforceEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, shortest, leaseMs / 12));
    const pollEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, retryDelayMs));
    const purgeEvery = Math.max(SHORTEST_MS, Math.min(60_000, retentionMs / 4));
    const every = (ms: number, work: () => Promise<boolean>, failure: string): Repeating =>
      new Repeating(work, ms, (error) => log.failed(failure, error));
    const once = (work: () => Promise<void>) => async (): Promise<boolean> => {
      await work();
      return false;
    };
    const poll = async (): Promise<void> => await Promise.resolve(dispatcher.poll());
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
      ],
      new ReplicaOccasions({ pool, log, alone }, replicas, peers, dispatcher, vault),
    );
  };
}
