import { MAX_JOB_OUTPUTS } from '@heddle/contracts-messages';
import { ANY_COUNT, declareSettings, readDeclared, seconds, wholeNumber } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

/** What an operator sets of a worker. */
export const WORKER_SETTINGS = declareSettings('worker', {
  workers: wholeNumber('WORKERS', 1, { min: 0, max: 256 }, { unit: 'jobs', meaning: 'jobs run at once; 0: they wait' }),
  drain: seconds('DRAIN_S', 5, { meaning: 'how long running jobs may continue at a stop' }),
  assetsOutage: seconds('ASSETS_OUTAGE_S', 300, {
    meaning: 'how long a running job waits for an unreachable assets service',
  }),
  maxOutputs: wholeNumber(
    'MAX_OUTPUTS',
    MAX_JOB_OUTPUTS,
    { min: 1, max: MAX_JOB_OUTPUTS },
    { unit: 'outputs', meaning: 'maximum outputs of a job' },
  ),
  previewBytes: wholeNumber('PREVIEW_BYTES', 262_144, ANY_COUNT, {
    unit: 'bytes',
    meaning: 'maximum size of a preview that is shown',
  }),
});

type Values = SettingValues<typeof WORKER_SETTINGS>;

/**
 * What an operator set, in the worker's own terms: durations in milliseconds. The size of outputs is the assets
 * service's limit too.
 */
export function workerSettings(values: Values & { readonly outputBytes: number }): Partial<WorkerSettings> {
  return { ...ofOperator(values), maxOutputBytes: values.outputBytes };
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

const DEFAULTS = ofOperator(readDeclared(WORKER_SETTINGS, {}));

/**
 * What a worker keeps to; without changes, the defaults of the declarations. Lease time and maximum runtime come with
 * each lease.
 */
export class WorkerSettings {
  /** Maximum concurrent jobs; 0 = none. */
  readonly slots: number = DEFAULTS.slots;
  /** Maximum outputs of one job; more end it with `output_limit` (reliability limits). */
  readonly maxOutputs: number = DEFAULTS.maxOutputs;
  /** Maximum bytes of one output; more end the job with `output_limit`. */
  readonly maxOutputBytes: number = 2 * 1024 ** 3;
  /** Maximum bytes of one run's outputs held in memory while the engine continues; it waits for larger ones. */
  readonly keptOutputBytes: number = 4 * 1024 ** 2;
  /** Larger previews are not shown. */
  readonly maxPreviewBytes: number = DEFAULTS.maxPreviewBytes;
  /** Minimum interval between two progress (or preview) reports of a job. */
  readonly reportIntervalMs: number = 500;
  /** How long a draining worker lets its jobs continue before it hands them back. */
  readonly drainMs: number = DEFAULTS.drainMs;
  /** How long inputs and outputs wait for an unreachable assets service or store. */
  readonly outageMs: number = DEFAULTS.outageMs;
  /** How long the report of a job's end waits for the logs service to store its log; then the log is lost. */
  readonly logCaptureMs: number = 2_000;
  /** How long logs are dropped without a wait after the logs service did not answer. */
  readonly logPauseMs: number = 10_000;
  /** Called when an execution log is lost; null: it was not sent. */
  readonly onLogLost?: (error: unknown) => void;
  /** Which failures in this process count as such an outage, beside those reported by other services. */
  readonly isOutage: (error: unknown) => boolean = () => false;
  /** Called when an input or output of a running job starts to wait for a dependency, such as disk space. */
  readonly onWait?: (error: unknown) => void;

  constructor(changes: Partial<WorkerSettings> = {}) {
    Object.assign(this, changes);
  }
}
