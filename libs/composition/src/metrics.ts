import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Process metrics: ports, calls, messages, engine, database and disk. */
export const PROCESS_METRICS = {
  requests: {
    name: 'heddle_http_requests_total',
    help: 'Answers of the API by operation and status',
    labelNames: ['route', 'status'],
  },
  requestSeconds: {
    name: 'heddle_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['route'],
  },
  activeRequests: { name: 'heddle_http_active_requests', help: 'Requests of the API that are being answered' },
  refusals: {
    name: 'heddle_http_refusals_total',
    help: 'Requests that were refused, by the code of the error catalogue',
    labelNames: ['code'],
  },
  connectionsOpen: { name: 'heddle_connections_open', help: 'Open connections, by port', labelNames: ['port'] },
  networkRefusals: {
    name: 'heddle_network_refusals_total',
    help: 'Connections and bodies that were cut or refused, by port and reason',
    labelNames: ['port', 'reason'],
  },
  spansLost: {
    name: 'heddle_spans_lost_total',
    help: 'Spans that the trace collector never got, by reason',
    labelNames: ['reason'],
  },
  bodyBytes: {
    name: 'heddle_body_bytes',
    help: 'Bytes of bodies and of large answers that the process holds, on all of its ports',
  },
  engineAway: { name: 'heddle_engine_away', help: '1 while the engine cannot be reached' },
  busConnected: { name: 'heddle_bus_connected', help: '1 while the message bus reaches its brokers' },
  busPublished: {
    name: 'heddle_bus_published_total',
    help: 'Messages that the bus has taken, by topic',
    labelNames: ['topic'],
  },
  busPublishFailed: {
    name: 'heddle_bus_publish_failures_total',
    help: 'Messages that the bus did not take, by topic',
    labelNames: ['topic'],
  },
  busHandled: {
    name: 'heddle_bus_handled_total',
    help: 'Messages that were handled, by topic and group',
    labelNames: ['topic', 'group'],
  },
  busHandleSeconds: {
    name: 'heddle_bus_handle_duration_seconds',
    help: 'Time in which a batch of messages was handled, by topic and group',
    labelNames: ['topic', 'group'],
  },
  busWaits: {
    name: 'heddle_bus_waits',
    help: 'Topics whose messages wait here for an unreachable database or service',
  },
  deadLetters: {
    name: 'heddle_dead_letters_total',
    help: 'Messages that were given up, by topic and group',
    labelNames: ['topic', 'group'],
  },
  callSeconds: {
    name: 'heddle_service_call_duration_seconds',
    help: 'Calls of other services that were served, by path and status',
    labelNames: ['path', 'status'],
  },
  callsRefused: {
    name: 'heddle_service_calls_refused_total',
    help: 'Calls that were refused because the caller was not authenticated or not allowed, by status',
    labelNames: ['status'],
  },
  madeCallSeconds: {
    name: 'heddle_service_client_duration_seconds',
    help: 'Calls that were made of other services, by path and outcome',
    labelNames: ['path', 'outcome'],
  },
  poolConnections: {
    name: 'heddle_db_pool_connections',
    help: 'Connections to the database by state: used or idle',
    labelNames: ['service', 'state'],
  },
  poolWaiting: { name: 'heddle_db_pool_waiting', help: 'Queries that wait for a connection', labelNames: ['service'] },
  databaseRestarts: {
    name: 'heddle_database_restarts_total',
    help: 'Times the embedded database had to be started again',
  },
  dependencyUp: {
    name: 'heddle_dependency_up',
    help: '1 while a dependency that the service needs to serve requests is reachable, by its name in readyz',
    labelNames: ['dependency'],
  },
  blobStoreSeconds: {
    name: 'heddle_blob_store_duration_seconds',
    help: 'Calls of the stores of bytes: write (to its stable end), read (to its first bytes), stat, delete; by outcome ok or failed',
    labelNames: ['operation', 'outcome'],
  },
  certificateLeft: {
    name: 'heddle_certificate_left_seconds',
    help: 'Time until the certificate in use expires, by its use: calls; none without a certificate',
    labelNames: ['of'],
  },
  tokenLeft: {
    name: 'heddle_service_token_left_seconds',
    help: 'Time until the first token of the process for calls of another service expires; none without such a token',
    labelNames: ['audience'],
  },
  diskFreeBytes: {
    name: 'heddle_disk_free_bytes',
    help: 'Free space of the disk of a folder that is written to, by folder',
    labelNames: ['folder'],
  },
  diskFreeFiles: {
    name: 'heddle_disk_free_files',
    help: 'Files that can still be made on the disk of a folder that is written to, by folder',
    labelNames: ['folder'],
  },
  buildInfo: {
    name: 'heddle_build_info',
    help: '1, with the version and the commit of Heddle and the version of Node as labels',
    labelNames: ['version', 'commit', 'node'],
  },
} as const satisfies Record<string, MetricDeclaration>;
