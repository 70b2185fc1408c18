import type { Settings } from '@heddle/composition';
import type { PlannedProcess } from './cluster-plan.js';
import type { AskedDeployment } from './deployments/asked-deployments.js';
import type { Infrastructure } from './infrastructure.js';
import type { Progress } from './progress/progress.js';
import type { Replicas, ServiceName } from './replicas.js';
import type { ProcessStatus } from './supervise/process-lives.js';
import type { SupervisedProcess } from './supervise/supervised-process.js';

export interface ClusterOptions {
  readonly settings: Settings;
  /** The launcher's environment, settings included: each process gets the part that its service reads. */
  readonly env: Readonly<Record<string, string>>;
  readonly replicas: Replicas;
  /** Made at the start unless they are there; each has workers of its own. */
  readonly deployments: readonly AskedDeployment[];
  /** Number of own Kafka brokers. */
  readonly brokers: number;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** Uses these servers instead of its own; they keep running when it stops. */
  readonly infrastructure?: Infrastructure;
  /** See `planCluster`. */
  calledAt?(service: ServiceName, callsPort: number): Promise<number>;
  readonly progress: Progress;
  /** Called for each change of a process, from the first running one on. */
  onChange?(cluster: ClusterView): void;
  /** Called when a process failed too often to be restarted; it stops nothing. */
  onGiveUp?(reason: string): void;
  /** Aborts the start: started parts are stopped, and `startCluster` rejects. */
  readonly signal?: AbortSignal;
}

/** State of a cluster while it starts and runs. */
export interface ClusterView {
  readonly infrastructure: Infrastructure;
  readonly processes: readonly ProcessStatus[];
}

export interface RunningCluster {
  readonly url: string;
  /** Null without a registry. */
  readonly registryUrl: string | null;
  readonly infrastructure: Infrastructure;
  readonly processes: readonly SupervisedProcess<PlannedProcess>[];
  /** Stops everything in order; resolves with the services' exit codes by process name. */
  stop(): Promise<ReadonlyMap<string, number | null>>;
  /** `kill -9` of every service at once; servers keep running. */
  kill(): Promise<void>;
}
