import type { FactoryProvider } from '@nestjs/common';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { AgeLog } from './age-log/age-log.js';
import { LogCheckpoints } from './age-log/log-checkpoints.js';
import { RescueGrace } from './enforce-deadlines/rescue-grace.js';
import { UnreadableJobs } from './known-jobs/unreadable-jobs.js';
import { JOBS_METRICS } from './metrics.js';
import { RelayStop } from './relay-job-events/relay-stop.js';
import { LogFormat } from './notify-peers/log-format.js';
import { ReplicaTable } from './notify-peers/replicas.js';
import { SnapshotWatch } from './watch-snapshots/snapshot-watch.js';

export interface JobsCheck {
  readonly name: string;
  readonly optional: true;
  readonly check: () => string | null;
}

/** Receives the checks of the relay and the log. */
export interface JobsReadiness {
  push(check: JobsCheck): unknown;
}

type Observed = [
  replicas: ReplicaTable,
  grace: RescueGrace,
  stop: RelayStop,
  unreadable: UnreadableJobs,
  format: LogFormat,
  ageLog: AgeLog,
  checkpoints: LogCheckpoints,
  snapshots: SnapshotWatch,
];

/** Gauges that are read at each scrape and each `/readyz` instead of being counted. */
export function jobsGauges(registry: MetricsRegistry, readiness: JobsReadiness | undefined): FactoryProvider<null> {
  return {
    provide: Symbol('JobsGauges'),
    inject: [ReplicaTable, RescueGrace, RelayStop, UnreadableJobs, LogFormat, AgeLog, LogCheckpoints, SnapshotWatch],
    useFactory: (...[replicas, grace, stop, unreadable, format, ageLog, checkpoints, snapshots]: Observed) => {
      registry.gauge(JOBS_METRICS.peersLive, () => replicas.peers.length);
      registry.gauge(JOBS_METRICS.rescueGrace, () => grace.leftSeconds);
      registry.gauge(JOBS_METRICS.relayStopped, () => Number(stop.reason !== null));
      registry.gauge(JOBS_METRICS.unreadableJobs, () => unreadable.jobs().length);
      registry.gauge(JOBS_METRICS.logFormat, () => [
        [{ kind: 'reads' }, format.reads],
        [{ kind: 'floor' }, format.floor],
      ]);
      registry.gauge(JOBS_METRICS.oldestSnapshot, () => snapshots.seconds);
      observeAge(registry, ageLog, checkpoints);
      readiness?.push({ name: 'job events', optional: true, check: () => stop.reason });
      readiness?.push({ name: 'snapshots', optional: true, check: () => snapshots.reason });
      readiness?.push({ name: 'log', optional: true, check: () => ageLog.trouble });
      return null;
    },
  };
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
