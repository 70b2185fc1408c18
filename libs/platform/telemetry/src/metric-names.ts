/** Every metric that Heddle exports, with its help text: dashboards, alerts and docs/observability.md name them. Seconds, bytes, `_total` for what only grows. */
export const METRICS = {
  // The API
  requests: ['heddle_http_requests_total', 'Answers of the API by operation and status'],
  requestSeconds: ['heddle_http_request_duration_seconds', 'Time from the request to the end of its answer'],
  activeRequests: ['heddle_http_active_requests', 'Requests of the API that are being answered'],
  refusals: ['heddle_http_refusals_total', 'Requests that were refused, by the code of the error catalogue'],
  streamsOpen: ['heddle_sse_streams', 'Open event streams'],
  framesSkipped: [
    'heddle_sse_frames_skipped_total',
    'Frames that a reader was too slow for, by kind: it gets a newer one',
  ],
  streamsCut: ['heddle_sse_streams_cut_total', 'Event streams that were ended because nobody read them'],
  eventFreshness: ['heddle_event_freshness_seconds', 'From the commit of a job event to its arrival at a gateway'],
  connectionsOpen: ['heddle_connections_open', 'Open connections, by port'],
  networkRefusals: [
    'heddle_network_refusals_total',
    'Connections and bodies that were cut or refused, by port and reason',
  ],
  bodyBytes: ['heddle_body_bytes', 'Bytes of bodies that the process holds, on all of its ports'],

  // Jobs
  jobsSubmitted: ['heddle_jobs_submitted_total', 'Jobs that were durably recorded'],
  jobsEnded: ['heddle_jobs_ended_total', 'Jobs by the status they ended with'],
  jobsFailed: ['heddle_jobs_failed_total', 'Failed jobs by error code and by whose fault it is: user or platform'],
  jobsQueued: ['heddle_jobs_queued', 'Jobs that wait'],
  jobsRunning: ['heddle_jobs_running', 'Jobs under a lease'],
  queueSeconds: ['heddle_job_queue_seconds', 'Time that a job waited'],
  runSeconds: ['heddle_job_run_seconds', 'Time that a job ran'],
  nodeSeconds: [
    'heddle_node_run_seconds',
    'Time that a node ran, by its class; classes beyond the first 48 count as other',
  ],
  attempts: ['heddle_job_attempts_total', 'Attempts that were begun, by reason: first, or what ended the one before'],
  leaseLost: ['heddle_leases_lost_total', 'Leases that ended without an outcome'],
  leaseExpired: ['heddle_leases_expired_total', 'Leases that ran out because their worker was not heard of'],
  rescueGrace: [
    'heddle_rescue_grace_seconds',
    'Time for which no lease is rescued: after a start, outage or clock jump',
  ],
  fencedWrites: ['heddle_fenced_writes_total', 'Reports of workers that had lost their lease, all refused'],
  workerEventsDropped: ['heddle_worker_events_dropped_total', 'Reports of workers that changed nothing, by reason'],
  batchSize: ['heddle_submission_batch_size', 'Submissions that shared one statement'],

  // The log and its relay
  sequencerLag: ['heddle_sequencer_lag_seconds', 'Age of the oldest committed event without a seq'],
  sequencerEvents: ['heddle_sequencer_events_total', 'Events that were given a seq'],
  oldestSnapshot: [
    'heddle_oldest_snapshot_seconds',
    'Age of the oldest open snapshot of the database, which keeps rows from vacuum',
  ],
  appendConflicts: [
    'heddle_append_conflicts_total',
    'Changes of a job that somebody else had changed first: decided again',
  ],
  relayLagEvents: ['heddle_relay_lag_events', 'Committed events that are not published yet'],
  relayLagSeconds: ['heddle_relay_lag_seconds', 'Age of the oldest committed event that is not published'],
  relayStopped: [
    'heddle_relay_stopped',
    '1 while the relay stands before an event that no live replica is known to read',
  ],
  logPartitions: ['heddle_log_partitions', 'Partitions of the event log, attached and detached'],
  logOldestPartition: [
    'heddle_log_oldest_partition_seconds',
    'Time since the end of the oldest attached partition of the event log; below zero while it lies ahead',
  ],
  checkpointAge: [
    'heddle_log_checkpoint_age_seconds',
    'Time since this replica last wrote a checkpoint of the event log, or found that the log had not moved',
  ],
  logTrouble: [
    'heddle_log_trouble',
    '1 while a checkpoint contradicts the event log, or a partition is gone or was attached again',
  ],
  unreadableJobs: [
    'heddle_unreadable_jobs',
    'Jobs that this replica leaves alone for now, because it cannot read one of their events',
  ],
  logFormat: [
    'heddle_log_format',
    'Format of the log that this process reads (kind: reads) and may write (kind: floor)',
  ],
  relayedEvents: ['heddle_relayed_events_total', 'Committed events that this process has published'],
  peersLive: ['heddle_peers_live', 'Other replicas of the jobs service that this one knows to live'],
  hintsFailed: ['heddle_peer_hints_failed_total', 'Hints to other replicas that did not arrive'],

  workStreams: ['heddle_work_streams', 'Workers that have a stream to this replica'],
  workStreamsEnded: ['heddle_work_streams_ended_total', 'Streams of workers that ended, by gRPC status'],

  // Workers
  workerSlots: ['heddle_worker_slots', 'Slots of the worker by state: busy, idle or draining'],
  engineAway: ['heddle_engine_away', '1 while the engine cannot be reached'],

  // Assets
  assetBytes: [
    'heddle_asset_bytes_total',
    'Bytes of uploads and outputs; of uploads also whether the account had them already',
  ],
  scrubbedBytes: ['heddle_scrubbed_bytes_total', 'Bytes of stored blobs that were read again'],
  scrubbedBlobs: ['heddle_scrubbed_blobs_total', 'Stored blobs that were read again, by what was found'],
  damagedBlobs: ['heddle_damaged_blobs', 'Blobs whose bytes are not those of their hash, at the end of the last pass'],
  strayObjects: ['heddle_stray_objects', 'Old objects that no row of the database names, at the end of the last look'],
  strayUploads: ['heddle_stray_uploads_total', 'Uploads to the store that nobody finished and that were ended'],
  assetEventsPublished: ['heddle_asset_events_published_total', 'Asset events that the message bus has taken'],
  assetOutboxLag: ['heddle_asset_outbox_lag_seconds', 'Age of the oldest asset event that is not published'],

  // Logs
  logBytes: ['heddle_execution_log_bytes_total', 'Bytes of execution logs that were kept'],
  logsRefused: [
    'heddle_execution_logs_refused_total',
    'Captures that came too late: of an older attempt, or of a job that is gone',
  ],

  // Between services
  busConnected: ['heddle_bus_connected', '1 while the message bus reaches its brokers'],
  busPublished: ['heddle_bus_published_total', 'Messages that the bus has taken, by topic'],
  busPublishFailed: ['heddle_bus_publish_failures_total', 'Messages that the bus did not take, by topic'],
  busHandled: ['heddle_bus_handled_total', 'Messages that were handled, by topic and group'],
  busHandleSeconds: [
    'heddle_bus_handle_duration_seconds',
    'Time in which a batch of messages was handled, by topic and group',
  ],
  busWaits: ['heddle_bus_waits', 'Topics whose messages wait here for a database or service that is away'],
  deadLetters: ['heddle_dead_letters_total', 'Messages that were given up, by topic and group'],
  inboxPlace: ['heddle_inbox_place', 'Sequence number of the log of jobs up to which nothing is missing here'],
  inboxFailed: ['heddle_inbox_failed_events', 'Job events that could not be applied and wait for somebody'],
  inboxCaughtUp: [
    'heddle_inbox_caught_up_total',
    'Job events that the bus did not bring and that were read from the log',
  ],
  callSeconds: ['heddle_service_call_duration_seconds', 'Calls of other services that were served, by path and status'],
  callsRefused: ['heddle_service_calls_refused_total', 'Calls whose caller was not believed or not allowed, by status'],
  madeCallSeconds: [
    'heddle_service_client_duration_seconds',
    'Calls that were made of other services, by path and outcome',
  ],
  poolConnections: ['heddle_db_pool_connections', 'Connections to the database by state: used or idle'],
  poolWaiting: ['heddle_db_pool_waiting', 'Queries that wait for a connection'],
  databaseRestarts: ['heddle_database_restarts_total', 'Times the embedded database had to be started again'],

  // The process
  diskFreeBytes: ['heddle_disk_free_bytes', 'Free space of the disk of a folder that is written to, by folder'],
  diskFreeFiles: [
    'heddle_disk_free_files',
    'Files that can still be made on the disk of a folder that is written to, by folder',
  ],
  buildInfo: ['heddle_build_info', '1, with the version of Heddle and of Node as labels'],
  eventLoopDelay: ['heddle_event_loop_delay_seconds', 'Delay of the event loop, 99th percentile of the last interval'],
  residentBytes: ['heddle_process_resident_memory_bytes', 'Resident memory of the process'],
  cpuSeconds: ['heddle_process_cpu_seconds_total', 'CPU time of the process'],
} as const satisfies Record<string, readonly [name: string, help: string]>;
