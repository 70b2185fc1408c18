import { surfaceOf, SURFACES } from '@heddle/contracts-messages';
import type { DeploymentId } from '@heddle/contracts-messages';
import {
  ANY_COUNT,
  AT_LEAST_ONE,
  choice,
  declareSettings,
  flag,
  optionalSeconds,
  optionalText,
  readDeclared,
  positiveSeconds,
  seconds,
  SettingRefused,
  wholeNumber,
} from '@heddle/platform-settings';
import type { Declaration, SettingValues } from '@heddle/platform-settings';

const DAY = 86_400;
/** S3 signs for at most 7 days. */
const SIGNED_URL_LIFE = { min: 1, max: 7 * DAY };

/** What an operator sets of the assets service. */
export const ASSETS_SETTINGS = {
  ...declareSettings('assets', {
    uploadRetention: optionalSeconds('UPLOAD_RETENTION_S', {
      meaning: 'how long uploads are kept',
      unsetMeans: 'for ever on self-hosted, else 30 days',
    }),
    outputBytes: wholeNumber(
      'OUTPUT_BYTES',
      2 * 1024 ** 3,
      { min: 1, max: 2 ** 40 },
      { unit: 'bytes', meaning: 'maximum size of one output' },
    ),
    dedupDisclosure: choice('DEDUP_DISCLOSURE', 'account', ['account', 'platform'], {
      meaning: 'whether created_new depends on the account or the platform',
    }),
    provisionalHold: seconds('PROVISIONAL_HOLD_S', 600, {
      meaning: 'minimum age before the jobs service is asked about a hold that no event has named',
    }),
    unconfirmedOutput: seconds('UNCONFIRMED_OUTPUT_S', DAY, {
      meaning: 'minimum age before the jobs service is asked about an output that no event has named',
    }),
    blobGrace: seconds('BLOB_GRACE_S', 22_500, {
      meaning: 'delay between the last reference and the deletion of bytes',
    }),
    signedUrl: wholeNumber('SIGNED_URL_S', 21_600, SIGNED_URL_LIFE, {
      unit: 's',
      meaning: 'life of a signed URL on managed and dedicated; at most BLOB_GRACE_S - 900',
    }),
    assetSweep: positiveSeconds('ASSET_SWEEP_S', 5, {
      meaning: 'interval between two searches for expired assets and unreferenced bytes',
    }),
    scrubRate: wholeNumber('SCRUB_BYTES_PER_S', 1024 ** 2, ANY_COUNT, {
      unit: 'bytes/s',
      meaning: 'rate at which stored bytes are read again to find damage; 0: never',
    }),
    scrubPass: seconds('SCRUB_PASS_S', 7 * DAY, { meaning: 'pause between two passes over all stored bytes' }),
    orphanAge: seconds('STRAY_AGE_S', 2 * DAY, {
      meaning: 'minimum age before an orphaned object is reported',
    }),
    orphanPass: positiveSeconds('STRAY_PASS_S', DAY, {
      meaning: 'interval between two comparisons of the store with the database',
    }),
    removeOrphans: flag('REMOVE_STRAYS', false, {
      meaning: 'remove such objects too; never where two databases share a bucket',
    }),
  }),
  ...declareSettings('moderation', {
    moderationHashes: optionalText('MODERATION_HASHES', {
      unit: 'file',
      meaning: 'file of hashes to block, one blake3:<hex> a line; read again within 5 s of a change',
    }),
    moderationUrl: scannerUrl('MODERATION_URL'),
    moderationTimeout: positiveSeconds('MODERATION_TIMEOUT_S', 60, { meaning: 'time-out of one scan' }),
    moderationRetry: positiveSeconds('MODERATION_RETRY_S', 60, {
      meaning: 'maximum pause before a failed scan is tried again',
    }),
  }),
  ...declareSettings('uploads', {
    uploadBytes: wholeNumber('UPLOAD_BYTES', 104_857_600, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'maximum size of an uploaded file',
    }),
    uploadTimeout: positiveSeconds('UPLOAD_TIMEOUT_S', 600, { meaning: 'time-out of an upload' }),
    uploadOverheadBytes: wholeNumber('UPLOAD_OVERHEAD_BYTES', 1024 ** 2, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'maximum size of an upload beside its file',
    }),
    uploadParts: wholeNumber('UPLOAD_PARTS', 16, AT_LEAST_ONE, {
      unit: 'parts',
      meaning: 'maximum parts of an upload, not counting tags',
    }),
    partHeadBytes: wholeNumber('PART_HEAD_BYTES', 8192, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'maximum size of the headers of a part',
    }),
    fieldBytes: wholeNumber('FIELD_BYTES', 4096, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'maximum size of a text part',
    }),
    slowBodyRate: wholeNumber('SLOW_BODY_BYTES_PER_S', 16_384, ANY_COUNT, {
      unit: 'bytes/s',
      meaning: 'minimum rate of an upload',
    }),
    slowBodyWindow: positiveSeconds('SLOW_BODY_WINDOW_S', 30, {
      meaning: 'window in which the rate of an upload is measured',
    }),
  }),
};

/** Where the bytes of uploads are sent; a scheme that cannot be spoken would leave every hash unscanned. */
function scannerUrl(name: string): Declaration<URL | null> {
  const inner = optionalText(name, {
    unit: 'url',
    meaning: 'scanner to which the bytes of each uploaded hash are POSTed once',
    secret: true,
  });
  return {
    ...inner,
    read: (given) => {
      const text = inner.read(given);
      if (text === null) return null;
      const url = URL.canParse(text) ? new URL(text) : null;
      if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
      throw new SettingRefused(`HEDDLE_${name} must be an http or https URL, such as http://127.0.0.1:9000/scan`);
    },
  };
}

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
    signedUrlSeconds: values.signedUrl,
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
    orphanAgeMs: values.orphanAge * 1_000,
    orphanPassMs: values.orphanPass * 1_000,
    removeOrphans: values.removeOrphans,
    unconfirmedOutputMs: values.unconfirmedOutput * 1_000,
    moderationHashes: values.moderationHashes,
    moderationUrl: values.moderationUrl,
    moderationTimeoutMs: values.moderationTimeout * 1_000,
    moderationRetryMs: values.moderationRetry * 1_000,
  };
}

const DEFAULTS = ofOperator(readDeclared(ASSETS_SETTINGS, {}));

/** What the assets service keeps to; without changes, the defaults of the declarations. */
export class AssetsSettings {
  /** Maximum size of one uploaded file (decisions, Upload size). */
  readonly uploadBytes: number = DEFAULTS.uploadBytes;
  /** Maximum bytes of an upload beside its file: fields, headers, boundaries. */
  readonly uploadOverheadBytes: number = DEFAULTS.uploadOverheadBytes;
  readonly partHeadBytes: number = DEFAULTS.partHeadBytes;
  readonly fieldBytes: number = DEFAULTS.fieldBytes;
  /** Maximum parts of an upload, not counting tags. */
  readonly parts: number = DEFAULTS.parts;
  /** Time-out of a whole upload. */
  readonly uploadTimeoutMs: number = DEFAULTS.uploadTimeoutMs;
  /** Minimum rate over a whole window; slower bodies are aborted. */
  readonly slowBodyBytesPerSecond: number = DEFAULTS.slowBodyBytesPerSecond;
  readonly slowBodyWindowMs: number = DEFAULTS.slowBodyWindowMs;
  /** Maximum size of one job output; the worker applies its own limit earlier. */
  readonly outputBytes: number = DEFAULTS.outputBytes;
  /** Lifetime of uploads and mints without `expires_in`; null: that of the surface. */
  readonly uploadRetentionMs: number | null = DEFAULTS.uploadRetentionMs;
  /** Whose knowledge `created_new` reveals: the account's own, or the whole platform's. */
  readonly dedupDisclosure: 'account' | 'platform' = DEFAULTS.dedupDisclosure;
  /** How long an idempotency key is held. */
  readonly keyLifeMs: number = 86_400_000;
  /** An upload whose process is silent for this long is swept. */
  readonly uploadLeaseMs: number = 900_000;
  /** A hold whose job no event has named is checked after this time. */
  readonly provisionalHoldMs: number = DEFAULTS.provisionalHoldMs;
  /** How long a released hold is remembered: longer than any message or call is delayed. */
  readonly releasedHoldMs: number = 3_600_000;
  /** An output that no event of its job names is checked after this time. */
  readonly unconfirmedOutputMs: number = DEFAULTS.unconfirmedOutputMs;
  /** Minimum time on the local clock between finding such a hold or output and its deletion. */
  readonly sweepPatienceMs: number = 600_000;
  /**
   * From the last reference to the removal of bytes: longer than any signed URL lives, so that issued URLs keep
   * working.
   */
  readonly blobGraceMs: number = DEFAULTS.blobGraceMs;
  /** Maximum life of a signed URL. */
  readonly signedUrlSeconds: number = DEFAULTS.signedUrlSeconds;
  /** Interval at which the position in the log of jobs is moved; 0 = never. */
  readonly jobEventLookMs: number = 1_000;
  /** How long without a new job event before the jobs service is asked for missed ones. */
  readonly jobEventPatienceMs: number = 10_000;
  readonly sweepIntervalMs: number = DEFAULTS.sweepIntervalMs;
  /** Sweeps wait after a larger jump of the database's clock, until it is right or has stayed for this long. */
  readonly clockToleranceMs: number = 300_000;
  /** Maximum rows per step of a sweep. */
  readonly sweepBatch: number = 500;
  /** Rate at which stored bytes are read again to find damage; 0 = never. */
  readonly scrubBytesPerSecond: number = DEFAULTS.scrubBytesPerSecond;
  /** Pause between two passes over all blobs. */
  readonly scrubPassMs: number = DEFAULTS.scrubPassMs;
  /** Minimum age before an object without a row, or an unfinished one, counts as orphaned. */
  readonly orphanAgeMs: number = DEFAULTS.orphanAgeMs;
  /** Interval between two comparisons of the store with the database. */
  readonly orphanPassMs: number = DEFAULTS.orphanPassMs;
  /** Removes orphaned objects instead of only reporting them: never if two databases share a bucket. */
  readonly removeOrphans: boolean = DEFAULTS.removeOrphans;
  /** File of hashes to block; null = none. */
  readonly moderationHashes: string | null = DEFAULTS.moderationHashes;
  /** Scanner of uploaded bytes; null = none, and no hash is queued. */
  readonly moderationUrl: URL | null = DEFAULTS.moderationUrl;
  readonly moderationTimeoutMs: number = DEFAULTS.moderationTimeoutMs;
  /** Maximum pause before a failed scan is tried again. */
  readonly moderationRetryMs: number = DEFAULTS.moderationRetryMs;
  /** Interval at which the list's file and the queue of the scanner are looked at; 0 = never. */
  readonly moderationLookMs: number = 1_000;
  /** Silence after which another process takes over exclusive work. */
  readonly loneLeaseMs: number = 30_000;
  /** Silence after which another process takes over the relay of events. */
  readonly relayLeaseMs: number = 3_000;
  /** Poll interval of the relay for events of other processes; its own are notified. 0 = do not start it. */
  readonly relayIntervalMs: number = 1_000;
  /** Maximum events per publication. */
  readonly relayBatch: number = 500;
  /**
   * True if no other process serves uploads: uploads left by a former process are swept at the start, whatever their
   * lease.
   */
  readonly soleProcess: boolean = false;

  constructor(changes: Partial<AssetsSettings> = {}) {
    Object.assign(this, changes);
  }

  /** Seconds that an upload or mint without `expires_in` is kept; null: until it is deleted (accounts, Retention). */
  retentionOf(deploymentId: DeploymentId): number | null {
    if (this.uploadRetentionMs !== null) return this.uploadRetentionMs / 1_000;
    return SURFACES[surfaceOf(deploymentId)].uploadRetentionS;
  }
}
