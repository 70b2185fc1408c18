import { declareSettings, readDeclared, seconds, wholeNumber } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

const MANY = { min: 0, max: 1_000_000_000 };

/** What an operator sets of a worker. */
export const WORKER_SETTINGS = declareSettings('worker', {
  workers: wholeNumber('WORKERS', 1, { min: 0, max: 256 }, { unit: 'jobs', meaning: 'jobs run at once; 0: they wait' }),
  drain: seconds('DRAIN_S', 5, { meaning: 'how long running jobs may go on at a stop' }),
  assetsOutage: seconds('ASSETS_OUTAGE_S', 300, {
    meaning: 'how long a running job waits for an assets service that is away',
  }),
  maxOutputs: wholeNumber('MAX_OUTPUTS', 1000, { min: 1, max: 1000 }, { unit: 'outputs', meaning: 'outputs of a job' }),
  previewBytes: wholeNumber('PREVIEW_BYTES', 262_144, MANY, {
    unit: 'bytes',
    meaning: 'a larger preview is not shown',
  }),
});

type Values = SettingValues<typeof WORKER_SETTINGS>;

/** What an operator set, in the worker's own terms: durations in milliseconds. The size of outputs is the assets service's limit too. */
export function workerSettings(values: Values & { readonly outputBytes: number }): WorkerSettings {
  return { ...WORKER_DEFAULTS, ...ofOperator(values), maxOutputBytes: values.outputBytes };
}

function ofOperator(values: Values) {
  return {
    slots: values.workers,
    maxOutputs: values.maxOutputs,
    maxPreviewBytes: values.previewBytes,
    drainMs: values.drain * 1_000,
    outageMs: values.assetsOutage * 1_000,
  };
}

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
  ...ofOperator(readDeclared(WORKER_SETTINGS, {})),
  maxOutputBytes: 2 * 1024 ** 3,
  keptOutputBytes: 4 * 1024 ** 2,
  reportIntervalMs: 500,
  isOutage: () => false,
};
