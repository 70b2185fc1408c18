/** Every limit and period of the assets service, with its default; durations in milliseconds. */
export class AssetsSettings {
  /** Of one uploaded file (decisions, Upload size). */
  readonly uploadBytes: number = 104_857_600;
  /** Of an upload beside its file: fields, heads, boundaries. */
  readonly uploadOverheadBytes: number = 1024 * 1024;
  readonly partHeadBytes: number = 8192;
  readonly fieldBytes: number = 4096;
  /** Parts of an upload, tags not counted. */
  readonly parts: number = 16;
  /** The whole time of an upload. */
  readonly uploadTimeoutMs: number = 600_000;
  /** Slower bodies are given up: fewer bytes than this per second, over a whole window. */
  readonly slowBodyBytesPerSecond: number = 16 * 1024;
  readonly slowBodyWindowMs: number = 30_000;
  /** Of one job output; the worker has its own, earlier limit. */
  readonly outputBytes: number = 2 * 1024 ** 3;
  /** Life of uploads and mints without `expires_in`; null = for ever. */
  readonly uploadRetentionMs: number | null = null;
  /** Whose knowledge `created_new` tells: the account's own, or that of the whole platform. */
  readonly dedupDisclosure: 'account' | 'platform' = 'account';
  /** How long an idempotency key is held. */
  readonly keyLifeMs: number = 86_400_000;
  /** An upload whose process is silent for so long is swept. */
  readonly uploadLeaseMs: number = 900_000;
  /** A hold whose job was never heard of ends after so long. */
  readonly provisionalHoldMs: number = 600_000;
  /** A released hold is remembered for so long: longer than a message or a call is held up. */
  readonly releasedHoldMs: number = 3_600_000;
  /** An output that its job never named goes after so long. */
  readonly unconfirmedOutputMs: number = 86_400_000;
  /** Of the two: as long by the own clock, at most, from when such a row is found to its end. */
  readonly sweepPatienceMs: number = 600_000;
  /** From the last reference to the removal of bytes: longer than any signed URL lives, so that issued URLs work on. */
  readonly blobGraceMs: number = 22_500_000;
  /** How often the place in the log of jobs is moved on; 0 = never. */
  readonly jobEventLookMs: number = 1_000;
  /** How long no job event may be applied before the jobs service is asked what was missed. */
  readonly jobEventPatienceMs: number = 10_000;
  readonly sweepIntervalMs: number = 5_000;
  /** Rows that one step of a sweep takes. */
  readonly sweepBatch: number = 500;
  /** How fast stored bytes are read again to find damage; 0 = never. */
  readonly scrubBytesPerSecond: number = 1024 * 1024;
  /** From the end of one pass over all blobs to the start of the next. */
  readonly scrubPassMs: number = 604_800_000;
  /** Objects without a row, and unfinished ones, are strays from this age on. */
  readonly strayAgeMs: number = 172_800_000;
  /** From one comparison of the store with the database to the next. */
  readonly strayPassMs: number = 86_400_000;
  /** Remove stray objects instead of only telling of them: never where two databases share a bucket. */
  readonly removeStrays: boolean = false;
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
