import type { Provider } from '@nestjs/common';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import type { JobsModuleOptions } from '../jobs-module-options.js';
import { LeaveCredentials } from '../lease-job/leave-credentials.js';
import { SweepVault } from '../lease-job/sweep-vault.js';
import { JOBS_METRICS } from '../metrics.js';
import { WatchCredentialKeys } from '../seal-credentials/watch-credential-keys.js';
import { JobsSettings } from '../settings.js';
import { CommitNotifier } from './commit-notifier.js';
import { LogFormat } from './log-format.js';
import { Peers } from './peers.js';
import { ReplicaMembership } from './replica-membership.js';
import { ReplicaTable } from './replicas.js';

/** Notifies other replicas of commits and hands credentials over. */
export const REPLICAS: readonly Provider[] = [
  CommitNotifier,
  SweepVault,
  WatchCredentialKeys,
  LeaveCredentials,
  ReplicaMembership,
];

export function replicasOf(
  { address, peers }: Pick<JobsModuleOptions, 'address' | 'peers'>,
  registry: MetricsRegistry,
): readonly Provider[] {
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
