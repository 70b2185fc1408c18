import type { Settings } from '@heddle/composition';
import type { Progress } from './progress/progress.js';
import type { LivesWatch, ProcessLives } from './supervise/process-lives.js';

/** Servers that a cluster's services need. */
export interface Infrastructure {
  /** Each service's own URL of the database. */
  readonly databaseUrls: {
    readonly jobs: string;
    readonly assets: string;
    readonly logs: string;
    readonly accounts: string;
    readonly deployments: string;
    readonly registry: string;
  };
  readonly brokers: readonly string[];
  readonly s3: {
    readonly endpoint: string;
    readonly accessKey: string;
    readonly secretKey: string;
    readonly bucket: string;
  };
}

/** The same, including the local servers. */
export interface StartedInfrastructure extends Infrastructure {
  readonly servers: readonly ProcessLives[];
  stop(): Promise<void>;
}

export interface InfrastructureOptions {
  readonly settings: Settings;
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly brokers: number;
  readonly progress: Progress;
  readonly watch: LivesWatch;
  /** Aborted when a stop is requested during the start. */
  readonly signal?: AbortSignal;
}

/** One kind of server: local, or an external one from the settings. */
export interface StartedPart<Facts> {
  readonly facts: Facts;
  readonly servers: readonly ProcessLives[];
  stop(): Promise<void>;
}
