import { BackgroundLogger, RepeatedWork } from '@heddle/platform-database';
import type { FactoryProvider } from '@nestjs/common';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import { AgeLog } from './age-log/age-log.js';
import { LogPartitions } from './age-log/log-partitions.js';
import type { BackgroundTask } from './background-task.js';
import { SnapshotCheck } from './check-snapshots/snapshot-check.js';
import { DeadlineClock } from './enforce-deadlines/deadline-clock.js';
import { DeadlineEnforcer } from './enforce-deadlines/deadline-enforcer.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { SweepVault } from './lease-job/sweep-vault.js';
import { ReplicaTable } from './notify-peers/replicas.js';
import { QueueDepth } from './observe-queue/queue-depth.js';
import { JobPurger } from './purge-jobs/job-purger.js';
import { WatchCredentialKeys } from './seal-credentials/watch-credential-keys.js';
import { JobsSettings } from './settings.js';

const MIN_INTERVAL_MS = 20;

/** What starts and stops with the service. */
export interface Background {
  start(): void;
  stop(): Promise<void>;
}

export const JOBS_BACKGROUND = Symbol('JobsBackground');

/** In the order in which they start and stop. */
const TASKS = [
  Sequencer,
  LogReader,
  DeadlineEnforcer,
  JobPurger,
  LogPartitions,
  AgeLog,
  QueueDepth,
  LeaseDispatcher,
  ReplicaTable,
  SweepVault,
  WatchCredentialKeys,
  SnapshotCheck,
];

/** Sequencer and relay, deadlines, purge, and the slow polls behind every notification. */
export const jobsBackground: FactoryProvider<readonly Background[]> = {
  provide: JOBS_BACKGROUND,
  inject: [DeadlineClock, BackgroundLogger, JobsSettings, ...TASKS],
  useFactory: (
    clock: DeadlineClock,
    log: BackgroundLogger,
    settings: JobsSettings,
    ...tasks: readonly (Background | BackgroundTask)[]
  ) => tasks.map((task) => ('start' in task ? task : repeated(task, clock, log, settings))),
};

function repeated(
  task: BackgroundTask,
  clock: DeadlineClock,
  log: BackgroundLogger,
  settings: JobsSettings,
): Background {
  const work = new RepeatedWork(
    async () => (!task.needsClock || (await clock.look())) && task.run(clock.trustedUntilMs),
    (error) => log.error(task.failure, error),
  );
  return {
    start: () => work.start(Math.max(MIN_INTERVAL_MS, task.intervalMs(settings))),
    stop: () => work.stop(),
  };
}
