export interface SettingRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** One setting as a context declares it: environment name without `HEDDLE_`, meaning and parser. */
export interface Declaration<T> {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  /** The default as `heddle serve --help` prints it */
  readonly defaultText: string;
  readonly secret: boolean;
  /** Whether `HEDDLE_<NAME>_FILE` may name a file that holds the value. */
  readonly fromFile: boolean;
  /** Of a number: what it may be. */
  readonly range?: SettingRange;
  read(text: string | undefined): T;
}

/** Headings of the list of settings, in this order */
export const SETTING_GROUPS = {
  api: 'the API',
  accounts: 'accounts and API keys',
  streams: 'event streams',
  requests: 'limits on requests',
  workflows: 'limits on workflows',
  jobs: 'jobs',
  history: 'the event log',
  uploads: 'uploads',
  assets: 'assets',
  moderation: 'moderation',
  registry: 'the node registry',
  proxy: 'the partner proxy',
  worker: 'the worker',
  engine: 'the engine',
  storage: 'storage',
  s3: 'object store (S3)',
  kafka: 'brokers (Kafka)',
  calls: 'calls between services',
  connections: 'connections',
  process: 'the process',
  tests: 'for tests only',
} as const;

export type SettingGroup = keyof typeof SETTING_GROUPS;

/** A declared setting with its heading */
export interface Setting<T> extends Declaration<T> {
  readonly group: SettingGroup;
}

/** Invalid settings. Each line of the message names one setting and a valid value. */
export class SettingRefused extends Error {
  /** Joins several problems in one error. */
  static of(refusals: readonly string[]): SettingRefused {
    return new SettingRefused(refusals.join('\n'));
  }
}
