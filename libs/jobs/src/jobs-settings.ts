/** Every limit of the jobs service, with its default (decisions, Jobs and Commands and settings); durations in milliseconds. */
export class JobsSettings {
  readonly surface: string = 'self-hosted';
  /** Waiting jobs of one account. */
  readonly queueDepthAccount: number = 100;
  /** Waiting jobs of one deployment. */
  readonly queueDepth: number = 10_000;
  readonly retentionMs: number = 30 * 86_400_000;
  /** A checkpoint of the log is written this often, if the log has moved. */
  readonly checkpointMs: number = 3_600_000;
  /** What a partition of the log spans. */
  readonly logPartitionMs: number = 7 * 86_400_000;
  /** Of one attempt. */
  readonly maxRuntimeMs: number = 3_600_000;
  readonly maxQueueWaitMs: number = 86_400_000;
  readonly leaseMs: number = 30_000;
  /** 1 for a job with credentials, whatever stands here. */
  readonly maxAttempts: number = 3;
  /** How long a worker has to answer a cancel. */
  readonly cancelGraceMs: number = 60_000;
  /** A lost attempt waits so long, times the attempts spent, before the next one. */
  readonly retryDelayMs: number = 1_000;
  /** Deadlines are looked at this often; also the slow poll under the hand-over of work. */
  readonly sweepIntervalMs: number = 1_000;
  /** The database's clock may be so far from where this process's own says it should be before deadlines are put off. */
  readonly clockToleranceMs: number = 300_000;
  /** The same, or a silence, before leases are not rescued: workers renew theirs that often. */
  readonly rescueToleranceMs: number;
  /** No lease is rescued for so long after a start, an outage or a jump of the clock. */
  readonly rescueGraceMs: number;
  /** A snapshot that is open for longer is named, as it keeps rows from vacuum. */
  readonly snapshotAlarmMs: number = 300_000;
  /** How long an idempotency key is held. */
  readonly keyLifeMs: number = 86_400_000;
  readonly queueFullRetrySeconds: number = 2;
  /** Items that share one statement. */
  readonly batchSize: number = 128;
  /** How long a batch waits for a lock before its items run alone. */
  readonly batchLockTimeoutMs: number = 250;
  /** Folded states of jobs kept in memory, counted with their outputs. */
  readonly knownJobs: number = 50_000;
  /** Replicas look for each other this often; who does not move during ten looks is gone. */
  readonly peerBeatMs: number = 1_000;
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
