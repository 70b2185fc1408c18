/** One setting as a context declares it: its environment name without `HEDDLE_`, what it means, how its text is read. */
export interface Declaration<T> {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  /** As `heddle serve --help` prints it. */
  readonly defaultText: string;
  readonly secret: boolean;
  read(text: string | undefined): T;
}

/** The headings under which settings are listed, in this order. */
export const SETTING_GROUPS = {
  api: 'the API',
  streams: 'event streams',
  requests: 'limits on requests',
  workflows: 'limits on workflows',
  jobs: 'jobs',
  history: 'the event log',
  uploads: 'uploads',
  assets: 'assets',
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

/** A declared setting, with the heading under which it is listed. */
export interface Setting<T> extends Declaration<T> {
  readonly group: SettingGroup;
}

/** Settings that cannot be used; each line of the message names one and what would be right. */
export class SettingRefused extends Error {
  /** Of several at once. */
  static of(refusals: readonly string[]): SettingRefused {
    return new SettingRefused(refusals.join('\n'));
  }
}
