import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Metrics of the jobs service. */
export const JOBS_METRICS = {
  jobsSubmitted: { name: 'heddle_jobs_submitted_total', help: 'Jobs that were durably recorded' },
  jobsEnded: { name: 'heddle_jobs_ended_total', help: 'Ended jobs by final status', labelNames: ['status'] },
  jobsFailed: {
    name: 'heddle_jobs_failed_total',
    help: 'Failed jobs by error code and fault: user or platform',
    labelNames: ['code', 'error_class'],
  },
  jobsQueued: { name: 'heddle_jobs_queued', help: 'Waiting jobs' },
  jobsRunning: { name: 'heddle_jobs_running', help: 'Jobs under a lease' },
  jobsOverdue: {
    name: 'heddle_jobs_overdue',
    help: 'Jobs past a deadline at the last look of this replica, up to 100 of each: lease, attempt, cancel or queue',
    labelNames: ['deadline'],
  },
  queueSeconds: {
    name: 'heddle_job_queue_seconds',
    help: 'Time that a job waited',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14400],
  },
  runSeconds: {
    name: 'heddle_job_run_seconds',
    help: 'Time that a job ran',
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14400],
  },
  nodeSeconds: {
    name: 'heddle_node_run_seconds',
    help: 'Time that a node ran, by its class; classes beyond the first 48 count as other',
    labelNames: ['class'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 3600, 14400],
  },
  attempts: {
    name: 'heddle_job_attempts_total',
    help: 'Started attempts by reason: first, or again after a lost or returned lease',
    labelNames: ['reason'],
  },
  leaseLost: { name: 'heddle_leases_lost_total', help: 'Leases that ended without an outcome', labelNames: ['reason'] },
  leaseExpired: {
    name: 'heddle_leases_expired_total',
    help: 'Leases that expired without a heartbeat from their worker',
  },
  rescueGrace: {
    name: 'heddle_rescue_grace_seconds',
    help: 'Time for which no lease is rescued: after a start, outage or clock jump',
  },
  databaseClockOff: {
    name: 'heddle_database_clock_off_seconds',
    help: 'How far the clock of the database is off while deadlines, purge and ageing of the log wait for it; 0 otherwise',
  },
  fencedWrites: {
    name: 'heddle_fenced_writes_total',
    help: 'Refused reports of workers that had lost their lease',
  },
  workerEventsDropped: {
    name: 'heddle_worker_events_dropped_total',
    help: 'Reports of workers that changed nothing, by reason',
    labelNames: ['reason'],
  },
  batchSize: {
    name: 'heddle_submission_batch_size',
    help: 'Submissions that shared one statement',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
  },
  logController: {
    name: 'heddle_log_controller',
    help: '1 on the replica that has this part of the log in hand: sequencer (numbers events) or relay (publishes them)',
    labelNames: ['of'],
  },
  sequencerLag: { name: 'heddle_sequencer_lag_seconds', help: 'Age of the oldest committed event without a seq' },
  sequencerEvents: { name: 'heddle_sequencer_events_total', help: 'Events that got a seq' },
  oldestSnapshot: {
    name: 'heddle_oldest_snapshot_seconds',
    help: 'Age of the oldest open snapshot of the database, which keeps rows from vacuum',
  },
  appendConflicts: {
    name: 'heddle_append_conflicts_total',
    help: 'Changes of a job that conflicted with another writer and were decided again',
  },
  relayLagEvents: { name: 'heddle_relay_lag_events', help: 'Committed events that are not published yet' },
  relayLagSeconds: {
    name: 'heddle_relay_lag_seconds',
    help: 'Age of the oldest committed event that is not published',
  },
  relayStopped: {
    name: 'heddle_relay_stopped',
    help: '1 while the relay is stopped before an event that no live replica is known to read',
  },
  logPartitions: {
    name: 'heddle_log_partitions',
    help: 'Partitions of the event log, attached and detached',
    labelNames: ['state'],
  },
  logOldestPartition: {
    name: 'heddle_log_oldest_partition_seconds',
    help: 'Time since the end of the oldest attached partition of the event log; negative if it is in the future',
  },
  checkpointAge: {
    name: 'heddle_log_checkpoint_age_seconds',
    help: 'Time since this replica last wrote a checkpoint of the event log, or found the log unchanged',
  },
  logTrouble: {
    name: 'heddle_log_trouble',
    help: '1 while a checkpoint contradicts the event log, or a partition is missing or was attached again',
    labelNames: ['of'],
  },
  unreadableJobs: {
    name: 'heddle_unreadable_jobs',
    help: 'Jobs that this replica skips for now, because it cannot read one of their events',
  },
  logFormat: {
    name: 'heddle_log_format',
    help: 'Format of the log that this process reads (kind: reads) and may write (kind: floor)',
    labelNames: ['kind'],
  },
  relayedEvents: { name: 'heddle_relayed_events_total', help: 'Committed events that this process has published' },
  peersLive: { name: 'heddle_peers_live', help: 'Other live replicas of the jobs service known to this one' },
  hintsFailed: { name: 'heddle_peer_hints_failed_total', help: 'Hints to other replicas that failed' },
  sealedCredentials: {
    name: 'heddle_sealed_credentials',
    help: 'Jobs whose partner credentials are sealed with a key-encryption key, by the id of the key; the same on each replica',
    labelNames: ['key_id'],
  },
  credentialsUnreadable: {
    name: 'heddle_credentials_unreadable_total',
    help: 'Attempts to lease a job whose sealed credentials no key opens, by reason: unknown_key, wrong_key',
    labelNames: ['reason'],
  },
  workStreams: { name: 'heddle_work_streams', help: 'Workers with a stream to this replica' },
  workStreamsEnded: {
    name: 'heddle_work_streams_ended_total',
    help: 'Streams of workers that ended, by gRPC status',
    labelNames: ['status'],
  },
} as const satisfies Record<string, MetricDeclaration>;
