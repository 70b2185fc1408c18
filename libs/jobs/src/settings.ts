import { resolve } from 'node:path';
import {
  ANY_COUNT,
  declareSettings,
  optionalText,
  readDeclared,
  positiveSeconds,
  seconds,
  wholeNumber,
} from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

const DAY = 86_400;

/** What an operator sets of the jobs service. */
export const JOBS_SETTINGS = {
  ...declareSettings('jobs', {
    queueDepthAccount: wholeNumber('QUEUE_DEPTH_ACCOUNT', 100, ANY_COUNT, {
      unit: 'jobs',
      meaning: 'maximum waiting jobs of one account',
    }),
    queueDepth: wholeNumber('QUEUE_DEPTH', 10_000, ANY_COUNT, {
      unit: 'jobs',
      meaning: 'maximum waiting jobs of the deployment',
    }),
    jobRetention: positiveSeconds('JOB_RETENTION_S', 30 * DAY, {
      meaning: 'how long a job is kept after it was created',
    }),
    maxRuntime: positiveSeconds('MAX_RUNTIME_S', 3600, { meaning: 'maximum runtime of an attempt' }),
    maxQueueWait: positiveSeconds('MAX_QUEUE_WAIT_S', DAY, {
      meaning: 'maximum time in the queue, after which a job expires',
    }),
    lease: positiveSeconds('LEASE_S', 30, {
      meaning: 'time until a job is taken from a worker that sends no heartbeat',
    }),
    maxAttempts: wholeNumber(
      'MAX_ATTEMPTS',
      3,
      { min: 1, max: 100 },
      { unit: 'attempts', meaning: 'maximum attempts of a job whose worker was lost' },
    ),
    cancelGrace: seconds('CANCEL_GRACE_S', 60, { meaning: 'time until a worker must confirm a cancel' }),
    retryDelay: seconds('RETRY_DELAY_S', 1, { meaning: 'delay after a lost attempt, times the attempts spent' }),
    keyLife: positiveSeconds('KEY_LIFE_S', DAY, { meaning: 'how long an idempotency key is held' }),
    credentialKeys: optionalText('CREDENTIAL_KEYS', {
      unit: 'file',
      meaning:
        'managed: keys that seal partner credentials, one id:base64 of 32 bytes a line, the last one seals; read again when it changes; unset: standalone makes credential-keys in HEDDLE_DATA',
    }),
    taskSettle: seconds('TASK_SETTLE_S', 2 * DAY, {
      meaning: 'age from which heddle credits check reports a task of the partner proxy that is not settled',
    }),
    peerHeartbeat: positiveSeconds('PEER_BEAT_S', 1, { meaning: 'heartbeat interval of jobs replicas' }),
    clockTolerance: positiveSeconds('CLOCK_TOLERANCE_S', 300, {
      meaning: "a larger jump of the database's clock suspends deadlines until it settles",
    }),
  }),
  ...declareSettings('history', {
    logPartition: wholeNumber(
      'LOG_PARTITION_S',
      7 * DAY,
      { min: 60, max: 1_000_000_000 },
      { unit: 's', meaning: 'period of one partition of the event log, by the time of submission' },
    ),
    checkpoints: optionalText('CHECKPOINTS', {
      unit: 'folder',
      meaning:
        'signed checkpoints of the event log (standalone: checkpoints in the data folder; else unset: in the database alone)',
    }),
    checkpointKey: optionalText('CHECKPOINT_KEY', {
      unit: 'file',
      meaning: 'PEM of the key that signs checkpoints; default: key.pem in their folder, created if missing',
    }),
    checkpointInterval: positiveSeconds('CHECKPOINT_S', 3600, {
      meaning: 'interval of log checkpoints; none is written if the log has not grown',
    }),
    snapshotAlarm: positiveSeconds('SNAPSHOT_ALARM_S', 300, {
      meaning: 'age of an open database snapshot that is reported',
    }),
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
    taskSettleMs: values.taskSettle * 1_000,
    peerHeartbeatMs: values.peerHeartbeat * 1_000,
    clockToleranceMs: values.clockTolerance * 1_000,
  };
}

const DEFAULTS = ofOperator(readDeclared(JOBS_SETTINGS, {}));

/** Settings of the jobs service. The defaults come from the declarations. */
export class JobsSettings {
  readonly surface: string = 'self-hosted';
  /** Maximum waiting jobs per account. */
  readonly queueDepthAccount: number = DEFAULTS.queueDepthAccount;
  /** Maximum waiting jobs per deployment. */
  readonly queueDepth: number = DEFAULTS.queueDepth;
  readonly retentionMs: number = DEFAULTS.retentionMs;
  /** Interval of log checkpoints; none is written if the log has not grown. */
  readonly checkpointMs: number = DEFAULTS.checkpointMs;
  /** Period of a log partition. */
  readonly logPartitionMs: number = DEFAULTS.logPartitionMs;
  /** Maximum runtime of one attempt. */
  readonly maxRuntimeMs: number = DEFAULTS.maxRuntimeMs;
  readonly maxQueueWaitMs: number = DEFAULTS.maxQueueWaitMs;
  readonly leaseMs: number = DEFAULTS.leaseMs;
  /** Always 1 for a job with credentials. */
  readonly maxAttempts: number = DEFAULTS.maxAttempts;
  /** How long a worker has to confirm a cancel. */
  readonly cancelGraceMs: number = DEFAULTS.cancelGraceMs;
  /** Delay after a lost attempt, times the attempts spent. */
  readonly retryDelayMs: number = DEFAULTS.retryDelayMs;
  /** Interval of the deadline sweep, and of the slow poll behind work notifications. */
  readonly sweepIntervalMs: number = 1_000;
  /** Maximum difference between the database's clock and this process's before deadlines are suspended. */
  readonly clockToleranceMs: number = DEFAULTS.clockToleranceMs;
  /** The same, or a silence, before rescues are suspended: workers renew leases that often. */
  readonly rescueToleranceMs: number;
  /** Time without rescues after a start, an outage or a clock jump. */
  readonly rescueGraceMs: number;
  /** Minimum age of an open snapshot before it is reported, because it holds back vacuum. */
  readonly snapshotAlarmMs: number = DEFAULTS.snapshotAlarmMs;
  /** How long an idempotency key is held. */
  readonly keyLifeMs: number = DEFAULTS.keyLifeMs;
  /** Age from which the check of credits reports a task that is not settled. */
  readonly taskSettleMs: number = DEFAULTS.taskSettleMs;
  readonly queueFullRetrySeconds: number = 2;
  /** Maximum items per statement. */
  readonly batchSize: number = 128;
  /** How long a batch waits for a lock before its items run one by one. */
  readonly batchLockTimeoutMs: number = 250;
  /** Maximum weight of folded job states in memory, counted with their outputs. */
  readonly knownJobs: number = 50_000;
  /** Interval at which replicas look for each other; a replica without progress for ten looks is gone. */
  readonly peerHeartbeatMs: number = DEFAULTS.peerHeartbeatMs;
  /** Maximum bytes of workflows in memory, for workers. */
  readonly knownWorkflowBytes: number = 32 * 1024 * 1024;

  constructor(changes: Partial<JobsSettings> = {}) {
    const { retentionMs, logPartitionMs, ...others } = changes;
    Object.assign(this, others);
    // Stored in events, and added to times in whole milliseconds.
    if (retentionMs !== undefined) this.retentionMs = Math.round(retentionMs);
    if (logPartitionMs !== undefined) this.logPartitionMs = Math.round(logPartitionMs);
    this.rescueToleranceMs = changes.rescueToleranceMs ?? this.leaseMs / 3;
    this.rescueGraceMs = changes.rescueGraceMs ?? this.leaseMs;
  }
}
