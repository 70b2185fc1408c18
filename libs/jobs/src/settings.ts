import { resolve } from 'node:path';
import { declareSettings, optionalText, readDeclared, seconds, wholeNumber } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

const DAY = 86_400;
const MANY = { min: 0, max: 1_000_000_000 };

/** What an operator sets of the jobs service. */
export const JOBS_SETTINGS = {
  ...declareSettings('jobs', {
    queueDepthAccount: wholeNumber('QUEUE_DEPTH_ACCOUNT', 100, MANY, {
      unit: 'jobs',
      meaning: 'waiting jobs of one account',
    }),
    queueDepth: wholeNumber('QUEUE_DEPTH', 10_000, MANY, { unit: 'jobs', meaning: 'waiting jobs of the deployment' }),
    jobRetention: seconds('JOB_RETENTION_S', 30 * DAY, { meaning: 'how long a job is kept after it was created' }),
    maxRuntime: seconds('MAX_RUNTIME_S', 3600, { meaning: 'maximum runtime of an attempt' }),
    maxQueueWait: seconds('MAX_QUEUE_WAIT_S', DAY, { meaning: 'a job that waited longer expires' }),
    lease: seconds('LEASE_S', 30, { meaning: "a worker's right to a job without a heartbeat" }),
    maxAttempts: wholeNumber(
      'MAX_ATTEMPTS',
      3,
      { min: 1, max: 100 },
      { unit: 'attempts', meaning: 'then a job whose worker is lost fails' },
    ),
    cancelGrace: seconds('CANCEL_GRACE_S', 60, { meaning: 'then a cancel is settled without its worker' }),
    retryDelay: seconds('RETRY_DELAY_S', 1, { meaning: 'a lost attempt waits so long, times the attempts spent' }),
    keyLife: seconds('KEY_LIFE_S', DAY, { meaning: 'how long an idempotency key is held' }),
    peerBeat: seconds('PEER_BEAT_S', 1, { meaning: 'how often a jobs replica shows the others that it lives' }),
    clockTolerance: seconds('CLOCK_TOLERANCE_S', 300, {
      meaning: "a larger jump of the database's clock puts deadlines off until it settles",
    }),
  }),
  ...declareSettings('history', {
    logPartition: wholeNumber(
      'LOG_PARTITION_S',
      7 * DAY,
      { min: 60, max: 1_000_000_000 },
      { unit: 's', meaning: 'what one partition of the event log spans, by the time of submission' },
    ),
    checkpoints: optionalText('CHECKPOINTS', {
      unit: 'folder',
      meaning:
        'signed checkpoints of the event log (standalone: checkpoints in the data folder; else unset: in the database alone)',
    }),
    checkpointKey: optionalText('CHECKPOINT_KEY', {
      unit: 'file',
      meaning: 'PEM of the key that signs them (key.pem in their folder, made when it is missing)',
    }),
    checkpointInterval: seconds('CHECKPOINT_S', 3600, {
      meaning: 'a checkpoint is written this often, if the log has moved',
    }),
    snapshotAlarm: seconds('SNAPSHOT_ALARM_S', 300, { meaning: 'age of an open database snapshot that is reported' }),
  }),
};

type Values = SettingValues<typeof JOBS_SETTINGS>;

/** What an operator set, in the service's own terms: durations in milliseconds. */
export function jobsSettings(values: Values & { readonly surface: string }): Partial<JobsSettings> {
  return { ...ofOperator(values), surface: values.surface };
}

/** Where checkpoints of the log lie; `otherwise` where no setting says: null for the database alone. */
export function checkpointsOf(
  { checkpoints, checkpointKey }: Pick<Values, 'checkpoints' | 'checkpointKey'>,
  otherwise: string | null,
): { readonly folder: string; readonly keyFile: string | null } | null {
  const folder = checkpoints ?? otherwise;
  return folder === null ? null : { folder: resolve(folder), keyFile: checkpointKey };
}

function ofOperator(values: Values) {
  return {
    queueDepthAccount: values.queueDepthAccount,
    queueDepth: values.queueDepth,
    retentionMs: values.jobRetention * 1_000,
    logPartitionMs: values.logPartition * 1_000,
    checkpointMs: values.checkpointInterval * 1_000,
    maxRuntimeMs: values.maxRuntime * 1_000,
    maxQueueWaitMs: values.maxQueueWait * 1_000,
    leaseMs: values.lease * 1_000,
    maxAttempts: values.maxAttempts,
    cancelGraceMs: values.cancelGrace * 1_000,
    snapshotAlarmMs: values.snapshotAlarm * 1_000,
    retryDelayMs: values.retryDelay * 1_000,
    keyLifeMs: values.keyLife * 1_000,
    peerBeatMs: values.peerBeat * 1_000,
    clockToleranceMs: values.clockTolerance * 1_000,
  };
}

const DEFAULTS = ofOperator(readDeclared(JOBS_SETTINGS, {}));

/** What the jobs service keeps to (decisions, Jobs and Commands and settings); without changes, the defaults of the declarations. */
export class JobsSettings {
  readonly surface: string = 'self-hosted';
  /** Waiting jobs of one account. */
  readonly queueDepthAccount: number = DEFAULTS.queueDepthAccount;
  /** Waiting jobs of one deployment. */
  readonly queueDepth: number = DEFAULTS.queueDepth;
  readonly retentionMs: number = DEFAULTS.retentionMs;
  /** A checkpoint of the log is written this often, if the log has moved. */
  readonly checkpointMs: number = DEFAULTS.checkpointMs;
  /** What a partition of the log spans. */
  readonly logPartitionMs: number = DEFAULTS.logPartitionMs;
  /** Of one attempt. */
  readonly maxRuntimeMs: number = DEFAULTS.maxRuntimeMs;
  readonly maxQueueWaitMs: number = DEFAULTS.maxQueueWaitMs;
  readonly leaseMs: number = DEFAULTS.leaseMs;
  /** 1 for a job with credentials, whatever stands here. */
  readonly maxAttempts: number = DEFAULTS.maxAttempts;
  /** How long a worker has to answer a cancel. */
  readonly cancelGraceMs: number = DEFAULTS.cancelGraceMs;
  /** A lost attempt waits so long, times the attempts spent, before the next one. */
  readonly retryDelayMs: number = DEFAULTS.retryDelayMs;
  /** Deadlines are looked at this often; also the slow poll under the hand-over of work. */
  readonly sweepIntervalMs: number = 1_000;
  /** The database's clock may be so far from where this process's own says it should be before deadlines are put off. */
  readonly clockToleranceMs: number = DEFAULTS.clockToleranceMs;
  /** The same, or a silence, before leases are not rescued: workers renew theirs that often. */
  readonly rescueToleranceMs: number;
  /** No lease is rescued for so long after a start, an outage or a jump of the clock. */
  readonly rescueGraceMs: number;
  /** A snapshot that is open for longer is named, as it keeps rows from vacuum. */
  readonly snapshotAlarmMs: number = DEFAULTS.snapshotAlarmMs;
  /** How long an idempotency key is held. */
  readonly keyLifeMs: number = DEFAULTS.keyLifeMs;
  readonly queueFullRetrySeconds: number = 2;
  /** Items that share one statement. */
  readonly batchSize: number = 128;
  /** How long a batch waits for a lock before its items run alone. */
  readonly batchLockTimeoutMs: number = 250;
  /** Folded states of jobs kept in memory, counted with their outputs. */
  readonly knownJobs: number = 50_000;
  /** Replicas look for each other this often; who does not move during ten looks is gone. */
  readonly peerBeatMs: number = DEFAULTS.peerBeatMs;
  /** Bytes of workflows kept in memory for the hand-over to workers. */
  readonly knownWorkflowBytes: number = 32 * 1024 * 1024;

  constructor(changes: Partial<JobsSettings> = {}) {
    const { retentionMs, logPartitionMs, ...others } = changes;
    Object.assign(this, others);
    // Stored in events, and added to instants of whole milliseconds.
    if (retentionMs !== undefined) this.retentionMs = Math.round(retentionMs);
    if (logPartitionMs !== undefined) this.logPartitionMs = Math.round(logPartitionMs);
    this.rescueToleranceMs = changes.rescueToleranceMs ?? this.leaseMs / 3;
    this.rescueGraceMs = changes.rescueGraceMs ?? this.leaseMs;
  }
}
