import {
  choice,
  declareSettings,
  flag,
  optionalSeconds,
  readDeclared,
  seconds,
  wholeNumber,
} from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

const DAY = 86_400;
const MANY = { min: 0, max: 1_000_000_000 };
const AT_LEAST_ONE = { min: 1, max: 1_000_000_000 };

/** What an operator sets of the assets service. */
export const ASSETS_SETTINGS = {
  ...declareSettings('assets', {
    uploadRetention: optionalSeconds('UPLOAD_RETENTION_S', {
      meaning: 'how long uploads are kept',
      unsetMeans: 'for ever',
    }),
    outputBytes: wholeNumber(
      'OUTPUT_BYTES',
      2 * 1024 ** 3,
      { min: 1, max: 2 ** 40 },
      { unit: 'bytes', meaning: 'one output' },
    ),
    dedupDisclosure: choice('DEDUP_DISCLOSURE', 'account', ['account', 'platform'], {
      meaning: 'created_new judges by the account or the platform',
    }),
    provisionalHold: seconds('PROVISIONAL_HOLD_S', 600, {
      meaning: 'minimum age before the jobs service is asked about a hold that no event has named',
    }),
    unconfirmedOutput: seconds('UNCONFIRMED_OUTPUT_S', DAY, {
      meaning: 'minimum age before the jobs service is asked about an output that no event has named',
    }),
    blobGrace: seconds('BLOB_GRACE_S', 22_500, {
      meaning: 'time between the last reference and the deletion of bytes',
    }),
    assetSweep: seconds('ASSET_SWEEP_S', 5, { meaning: 'between two looks for expired assets and unreferenced bytes' }),
    scrubRate: wholeNumber('SCRUB_BYTES_PER_S', 1024 ** 2, MANY, {
      unit: 'bytes/s',
      meaning: 'how fast stored bytes are read again to find damage; 0: never',
    }),
    scrubPass: seconds('SCRUB_PASS_S', 7 * DAY, { meaning: 'between two passes over all stored bytes' }),
    strayAge: seconds('STRAY_AGE_S', 2 * DAY, {
      meaning: 'stored objects that nothing knows are told of from this age on',
    }),
    strayPass: seconds('STRAY_PASS_S', DAY, { meaning: 'between two comparisons of the store with the database' }),
    removeStrays: flag('REMOVE_STRAYS', false, {
      meaning: 'remove such objects too; never where two databases share a bucket',
    }),
  }),
  ...declareSettings('uploads', {
    uploadBytes: wholeNumber('UPLOAD_BYTES', 104_857_600, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'file of an upload',
    }),
    uploadTimeout: seconds('UPLOAD_TIMEOUT_S', 600, { meaning: 'whole time of an upload' }),
    uploadOverheadBytes: wholeNumber('UPLOAD_OVERHEAD_BYTES', 1024 ** 2, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'an upload beside its file',
    }),
    uploadParts: wholeNumber('UPLOAD_PARTS', 16, AT_LEAST_ONE, {
      unit: 'parts',
      meaning: 'parts of an upload, tags not counted',
    }),
    partHeadBytes: wholeNumber('PART_HEAD_BYTES', 8192, AT_LEAST_ONE, { unit: 'bytes', meaning: 'head of a part' }),
    fieldBytes: wholeNumber('FIELD_BYTES', 4096, AT_LEAST_ONE, { unit: 'bytes', meaning: 'a text part' }),
    slowBodyRate: wholeNumber('SLOW_BODY_BYTES_PER_S', 16_384, MANY, {
      unit: 'bytes/s',
      meaning: 'a slower upload is given up',
    }),
    slowBodyWindow: seconds('SLOW_BODY_WINDOW_S', 30, { meaning: 'over which the rate of an upload is judged' }),
  }),
};

type Values = SettingValues<typeof ASSETS_SETTINGS>;

/** What an operator set, in the service's own terms: durations in milliseconds. The life of keys is the jobs service's too. */
export function assetsSettings(values: Values & { readonly keyLife: number }): Partial<AssetsSettings> {
  return { ...ofOperator(values), keyLifeMs: values.keyLife * 1_000 };
}

function ofOperator(values: Values) {
  return {
    uploadBytes: values.uploadBytes,
    uploadTimeoutMs: values.uploadTimeout * 1_000,
    uploadRetentionMs: values.uploadRetention === null ? null : values.uploadRetention * 1_000,
    blobGraceMs: values.blobGrace * 1_000,
    sweepIntervalMs: values.assetSweep * 1_000,
    outputBytes: values.outputBytes,
    dedupDisclosure: values.dedupDisclosure,
    uploadOverheadBytes: values.uploadOverheadBytes,
    parts: values.uploadParts,
    partHeadBytes: values.partHeadBytes,
    fieldBytes: values.fieldBytes,
    slowBodyBytesPerSecond: values.slowBodyRate,
    slowBodyWindowMs: values.slowBodyWindow * 1_000,
    provisionalHoldMs: values.provisionalHold * 1_000,
    scrubBytesPerSecond: values.scrubRate,
    scrubPassMs: values.scrubPass * 1_000,
    strayAgeMs: values.strayAge * 1_000,
    strayPassMs: values.strayPass * 1_000,
    removeStrays: values.removeStrays,
    unconfirmedOutputMs: values.unconfirmedOutput * 1_000,
  };
}

const DEFAULTS = ofOperator(readDeclared(ASSETS_SETTINGS, {}));

/** What the assets service keeps to; without changes, the defaults of the declarations. */
export class AssetsSettings {
  /** Of one uploaded file (decisions, Upload size). */
  readonly uploadBytes: number = DEFAULTS.uploadBytes;
  /** Of an upload beside its file: fields, heads, boundaries. */
  readonly uploadOverheadBytes: number = DEFAULTS.uploadOverheadBytes;
  readonly partHeadBytes: number = DEFAULTS.partHeadBytes;
  readonly fieldBytes: number = DEFAULTS.fieldBytes;
  /** Parts of an upload, tags not counted. */
  readonly parts: number = DEFAULTS.parts;
  /** The whole time of an upload. */
  readonly uploadTimeoutMs: number = DEFAULTS.uploadTimeoutMs;
  /** Slower bodies are given up: fewer bytes than this per second, over a whole window. */
  readonly slowBodyBytesPerSecond: number = DEFAULTS.slowBodyBytesPerSecond;
  readonly slowBodyWindowMs: number = DEFAULTS.slowBodyWindowMs;
  /** Of one job output; the worker has its own, earlier limit. */
  readonly outputBytes: number = DEFAULTS.outputBytes;
  /** Life of uploads and mints without `expires_in`; null = for ever. */
  readonly uploadRetentionMs: number | null = DEFAULTS.uploadRetentionMs;
  /** Whose knowledge `created_new` tells: the account's own, or that of the whole platform. */
  readonly dedupDisclosure: 'account' | 'platform' = DEFAULTS.dedupDisclosure;
  /** How long an idempotency key is held. */
  readonly keyLifeMs: number = 86_400_000;
  /** An upload whose process is silent for so long is swept. */
  readonly uploadLeaseMs: number = 900_000;
  /** A hold whose job was never heard of ends after so long. */
  readonly provisionalHoldMs: number = DEFAULTS.provisionalHoldMs;
  /** A released hold is remembered for so long: longer than a message or a call is held up. */
  readonly releasedHoldMs: number = 3_600_000;
  /** An output that its job never named goes after so long. */
  readonly unconfirmedOutputMs: number = DEFAULTS.unconfirmedOutputMs;
  /** Of the two: as long by the own clock, at most, from when such a row is found to its end. */
  readonly sweepPatienceMs: number = 600_000;
  /** From the last reference to the removal of bytes: longer than any signed URL lives, so that issued URLs work on. */
  readonly blobGraceMs: number = DEFAULTS.blobGraceMs;
  /** How often the place in the log of jobs is moved on; 0 = never. */
  readonly jobEventLookMs: number = 1_000;
  /** How long no job event may be applied before the jobs service is asked what was missed. */
  readonly jobEventPatienceMs: number = 10_000;
  readonly sweepIntervalMs: number = DEFAULTS.sweepIntervalMs;
  /** Rows that one step of a sweep takes. */
  readonly sweepBatch: number = 500;
  /** How fast stored bytes are read again to find damage; 0 = never. */
  readonly scrubBytesPerSecond: number = DEFAULTS.scrubBytesPerSecond;
  /** From the end of one pass over all blobs to the start of the next. */
  readonly scrubPassMs: number = DEFAULTS.scrubPassMs;
  /** Objects without a row, and unfinished ones, are strays from this age on. */
  readonly strayAgeMs: number = DEFAULTS.strayAgeMs;
  /** From one comparison of the store with the database to the next. */
  readonly strayPassMs: number = DEFAULTS.strayPassMs;
  /** Remove stray objects instead of only telling of them: never where two databases share a bucket. */
  readonly removeStrays: boolean = DEFAULTS.removeStrays;
  /** Silence after which another process goes on with work that one does at a time. */
  readonly loneLeaseMs: number = 30_000;
  /** The same for the relay of events. */
  readonly relayLeaseMs: number = 3_000;
  /** How often the relay looks for events of other processes; its own it is told of. 0 = it is not started. */
  readonly relayIntervalMs: number = 1_000;
  /** Most events of one publication. */
  readonly relayBatch: number = 500;
  /** True where no other process serves uploads: what a former process left open is swept at the start, lease or not. */
  readonly soleProcess: boolean = false;

  constructor(changes: Partial<AssetsSettings> = {}) {
    Object.assign(this, changes);
  }
}
