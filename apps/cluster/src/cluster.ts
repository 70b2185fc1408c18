import type { Settings } from '@heddle/composition';
import type { PlannedProcess } from './cluster-plan.js';
import type { Infrastructure } from './infrastructure.js';
import type { Progress } from './progress/progress.js';
import type { Replicas, ServiceName } from './replicas.js';
import type { ProcessStatus } from './supervise/process-lives.js';
import type { SupervisedProcess } from './supervise/supervised-process.js';

export interface ClusterOptions {
  readonly settings: Settings;
  /** The launcher's environment, settings included: each process is given of it what its service reads. */
  readonly env: Readonly<Record<string, string>>;
  readonly replicas: Replicas;
  /** Kafka brokers of our own. */
  readonly brokers: number;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** Runs on these instead of servers of its own; they stay when it stops. */
  readonly infrastructure?: Infrastructure;
  /** See `planCluster`. */
  calledAt?(service: ServiceName, callsPort: number): Promise<number>;
  readonly progress: Progress;
  /** Told of each change of a process, from the first one that runs on. */
  onChange?(cluster: ClusterView): void;
  /** Told when a process is not started again because it failed too often; nothing is stopped by that. */
  onGiveUp?(reason: string): void;
  /** Gives the start up: what has started is stopped, and `startCluster` rejects. */
  readonly signal?: AbortSignal;
}

/** What is known of a cluster while it starts and while it runs. */
export interface ClusterView {
  readonly infrastructure: Infrastructure;
  readonly processes: readonly ProcessStatus[];
}

export interface RunningCluster {
  readonly url: string;
  readonly infrastructure: Infrastructure;
  readonly processes: readonly SupervisedProcess<PlannedProcess>[];
  /** Everything in order; resolves with the exit codes of the services by the processes' names. */
  stop(): Promise<ReadonlyMap<string, number | null>>;
  /** `kill -9` of every service at once; servers stay. */
  kill(): Promise<void>;
}
