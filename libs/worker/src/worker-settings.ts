/** Limits and periods of a worker; lease time and maximum runtime come with each lease. */
export interface WorkerSettings {
  /** Jobs run at once; 0 = none. */
  readonly slots: number;
  /** Outputs of one job; one more ends it with `output_limit` (reliability limits). */
  readonly maxOutputs: number;
  /** Bytes of one output; more ends the job with `output_limit`. */
  readonly maxOutputBytes: number;
  /** Outputs of one run that wait in memory until they are stored, while the engine goes on; larger ones it waits for. */
  readonly keptOutputBytes: number;
  /** A preview larger than this is not shown. */
  readonly maxPreviewBytes: number;
  /** Least time between two progress (or two preview) reports of a job, milliseconds. */
  readonly reportIntervalMs: number;
  /** How long a draining worker lets its jobs run on before it hands them back, milliseconds. */
  readonly drainMs: number;
  /** How long inputs and outputs wait for an assets service or a store that is away, milliseconds. */
  readonly outageMs: number;
  /** What in this process counts as such an outage, beside what other services say of themselves. */
  readonly isOutage: (error: unknown) => boolean;
  /** Told when an input or output of a running job begins to wait for what is away, such as space on a disk. */
  readonly onWait?: (error: unknown) => void;
}

export const WORKER_DEFAULTS: WorkerSettings = {
  slots: 1,
  maxOutputs: 1000,
  maxOutputBytes: 2 * 1024 ** 3,
  keptOutputBytes: 4 * 1024 ** 2,
  maxPreviewBytes: 256 * 1024,
  reportIntervalMs: 500,
  drainMs: 5000,
  outageMs: 300_000,
  isOutage: () => false,
};
