import type { FactoryProvider } from '@nestjs/common';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { AgeLog } from '../age-log/age-log.js';
import { LogCheckpoints } from '../age-log/log-checkpoints.js';
import { SnapshotCheck } from '../check-snapshots/snapshot-check.js';
import { DeadlineClock } from '../enforce-deadlines/deadline-clock.js';
import { OverdueJobs } from '../enforce-deadlines/overdue-jobs.js';
import { RescueGrace } from '../enforce-deadlines/rescue-grace.js';
import { UnreadableJobs } from '../known-jobs/unreadable-jobs.js';
import { LogFormat } from '../notify-peers/log-format.js';
import { ReplicaTable } from '../notify-peers/replicas.js';
import type { Observed, JobsReadiness } from './observed.js';
import { LogController } from '../sequence-events/log-controller.js';
import { WatchCredentialKeys } from '../seal-credentials/watch-credential-keys.js';
import { RelayStop } from '../relay-job-events/relay-stop.js';

const OBSERVED = [
  LogController,
  DeadlineClock,
  OverdueJobs,
  ReplicaTable,
  RescueGrace,
  RelayStop,
  UnreadableJobs,
  LogFormat,
  AgeLog,
  LogCheckpoints,
  SnapshotCheck,
  WatchCredentialKeys,
];

/** Registers what is read at each scrape and at each `/readyz` instead of being counted. */
export function jobsGauges(registry: MetricsRegistry, readiness: JobsReadiness | undefined): FactoryProvider<null> {
  return {
    provide: Symbol('JobsGauges'),
    inject: OBSERVED,
    useFactory: (...all: readonly Observed[]) => {
      for (const observed of all) {
        observed.registerGauges(registry);
        if (observed.readinessCheck !== undefined) readiness?.push({ ...observed.readinessCheck, optional: true });
      }
      return null;
    },
  };
}
