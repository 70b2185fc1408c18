import type { Settings } from '@heddle/composition';
import type { Progress } from './progress/progress.js';
import type { LivesWatch, ProcessLives } from './supervise/process-lives.js';

/** What services of a cluster stand on. */
export interface Infrastructure {
  /** Each service's own URL of the database. */
  readonly databaseUrls: {
    readonly jobs: string;
    readonly assets: string;
    readonly logs: string;
  };
  readonly brokers: readonly string[];
  readonly s3: {
    readonly endpoint: string;
    readonly accessKey: string;
    readonly secretKey: string;
    readonly bucket: string;
  };
}

/** The same with the local servers among them. */
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
  /** Aborted when somebody wants it to stop while it starts. */
  readonly signal?: AbortSignal;
}

/** One kind of server: of our own, or somebody else's that the settings name. */
export interface StartedPart<Facts> {
  readonly facts: Facts;
  readonly servers: readonly ProcessLives[];
  stop(): Promise<void>;
}
