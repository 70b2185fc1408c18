import {
  choice,
  flag,
  hosts,
  list,
  optionalSeconds,
  optionalText,
  optionalWholeNumber,
  seconds,
  text,
  wholeNumber,
} from './setting-kinds.js';
import type { Setting } from './setting-kinds.js';

const DAY = 86_400;
const MANY = { min: 0, max: 1_000_000_000 };
const MANY_BYTES = { min: 0, max: 2 ** 50 };
const AT_LEAST_ONE = { min: 1, max: 1_000_000_000 };

/** A port that is derived when it is unset. */
const opsPort: Setting<number | null> = {
  name: 'OPS_PORT',
  unit: 'port',
  meaning: 'livez, readyz and metrics, on 127.0.0.1',
  defaultText: 'port + 1000',
  secret: false,
  read: (given) =>
    given === undefined || given === ''
      ? null
      : wholeNumber('OPS_PORT', 0, { min: 0, max: 65_535 }, { meaning: '' }).read(given),
};

/** Every setting of every process, in one table: environment `HEDDLE_<name>`, flag `--<name>` in kebab-case. */
export const SETTINGS = {
  port: wholeNumber('PORT', 8189, { min: 0, max: 65_535 }, { unit: 'port', meaning: 'where the API listens' }),
  host: text('HOST', '127.0.0.1', {
    meaning: 'listen address; a non-loopback address requires a token and HEDDLE_ALLOWED_HOSTS',
  }),
  opsPort,
  surface: choice('SURFACE', 'self-hosted', ['self-hosted', 'managed', 'dedicated'], {
    meaning: 'which surface is served',
  }),
  engine: text('ENGINE', 'builtin', { meaning: 'builtin, or the URL of an engine' }),
  engineInputFolder: optionalText('ENGINE_INPUT_FOLDER', {
    unit: 'folder',
    meaning: "a real engine's own input folder, where it lies on this machine: files are put there and cleaned up",
  }),
  engineInputKeep: seconds('ENGINE_INPUT_KEEP_S', DAY, {
    meaning: 'files there that no run has used for so long are removed',
  }),
  engineModelFolders: list('ENGINE_MODEL_FOLDERS', {
    unit: 'models/x=/dir,...',
    meaning: 'folders of a real engine that uploads with such a path are placed in, after a check of their header',
  }),
  data: text('DATA', '.heddle', { unit: 'folder', meaning: 'embedded PostgreSQL and blobs' }),
  databaseUrl: optionalText('DATABASE_URL', {
    meaning: "an owner's URL of a PostgreSQL 15+; unset: embedded",
    secret: true,
  }),
  kafkaBrokers: list('KAFKA_BROKERS', {
    unit: 'a,b',
    meaning: 'host:port each; none: in-memory bus, recovered from the log',
  }),
  kafkaPrefix: text('KAFKA_PREFIX', '', {
    meaning: 'before the names of topics and groups, where clusters share brokers',
  }),
  kafkaTls: flag('KAFKA_TLS', false, { meaning: 'encrypt connections to the brokers' }),
  kafkaTlsCa: optionalText('KAFKA_TLS_CA', { unit: 'file', meaning: "PEM that signs the brokers' certificates" }),
  kafkaTlsCert: optionalText('KAFKA_TLS_CERT', { unit: 'file', meaning: "PEM of the client's certificate" }),
  kafkaTlsKey: optionalText('KAFKA_TLS_KEY', { unit: 'file', meaning: "PEM of the client's key" }),
  kafkaSaslMechanism: choice('KAFKA_SASL_MECHANISM', 'none', ['none', 'plain', 'scram-sha-256', 'scram-sha-512'], {
    meaning: 'how brokers know who connects',
  }),
  kafkaSaslUsername: optionalText('KAFKA_SASL_USERNAME', { meaning: 'with KAFKA_SASL_MECHANISM' }),
  kafkaSaslPassword: optionalText('KAFKA_SASL_PASSWORD', { meaning: 'with KAFKA_SASL_MECHANISM', secret: true }),
  kafkaPartitions: wholeNumber(
    'KAFKA_PARTITIONS',
    12,
    { min: 1, max: 10_000 },
    {
      unit: 'partitions',
      meaning: 'number of partitions of each topic; an existing topic with another number is refused',
    },
  ),
  kafkaReplication: wholeNumber(
    'KAFKA_REPLICATION',
    1,
    { min: 1, max: 100 },
    {
      unit: 'copies',
      meaning: 'of a topic that is created; fewer on an existing one are refused',
    },
  ),
  kafkaRetention: seconds('KAFKA_RETENTION_S', 7 * DAY, { meaning: 'how long brokers keep messages' }),
  s3Endpoint: optionalText('S3_ENDPOINT', { meaning: 'unset: blobs in the data folder' }),
  s3Bucket: optionalText('S3_BUCKET', { meaning: 'with S3_ENDPOINT' }),
  s3AccessKey: optionalText('S3_ACCESS_KEY', { meaning: 'with S3_ENDPOINT', secret: true }),
  s3SecretKey: optionalText('S3_SECRET_KEY', { meaning: 'with S3_ENDPOINT', secret: true }),
  s3Region: text('S3_REGION', 'us-east-1', { meaning: 'with S3_ENDPOINT' }),
  s3Checksums: flag('S3_CHECKSUMS', true, {
    meaning: 'CRC-32 with each part; false for stores that refuse the header',
  }),
  s3PathStyle: flag('S3_PATH_STYLE', true, { meaning: 'bucket in the path; false: in the host name' }),
  s3PublicEndpoint: optionalText('S3_PUBLIC_ENDPOINT', { meaning: 'with S3_ENDPOINT: as clients reach it' }),
  callsPort: wholeNumber(
    'CALLS_PORT',
    8290,
    { min: 1, max: 65_535 },
    { unit: 'port', meaning: 'where a service takes calls of others' },
  ),
  callsHost: text('CALLS_HOST', '127.0.0.1', { meaning: 'address it takes them on' }),
  workPort: wholeNumber(
    'WORK_PORT',
    8390,
    { min: 1, max: 65_535 },
    { unit: 'port', meaning: 'where the jobs service takes its workers (gRPC), on CALLS_HOST' },
  ),
  callsAddress: optionalText('CALLS_ADDRESS', {
    unit: 'URL',
    meaning: 'how other replicas reach it; unset: of CALLS_HOST and CALLS_PORT',
  }),
  callsTlsCert: optionalText('CALLS_TLS_CERT', {
    unit: 'file',
    meaning: 'PEM of the certificate of CALLS_PORT; unset: plain',
  }),
  callsTlsKey: optionalText('CALLS_TLS_KEY', { unit: 'file', meaning: 'with CALLS_TLS_CERT' }),
  callsTlsCa: optionalText('CALLS_TLS_CA', { unit: 'file', meaning: "PEM that signs other services' certificates" }),
  callsPlain: flag('CALLS_PLAIN', false, {
    meaning: 'calls beyond loopback without TLS, where a mesh encrypts; else they are refused at the start',
  }),
  serviceToken: optionalText('SERVICE_TOKEN', {
    meaning: 'who this process is: a token for each service that it calls, one in a line',
    secret: true,
  }),
  serviceTokenFile: optionalText('SERVICE_TOKEN_FILE', {
    unit: 'file',
    meaning: 'holds those tokens instead, and is read again when it changes',
  }),
  servicePublicKey: optionalText('SERVICE_PUBLIC_KEY', {
    meaning: "PEM of the key that signs services' tokens; several one after another while keys change",
  }),
  serviceTokenAudience: choice('SERVICE_TOKEN_AUDIENCE', 'optional', ['optional', 'required'], {
    meaning: 'required: tokens of versions before audiences are refused',
  }),
  serviceTokenLife: seconds('SERVICE_TOKEN_LIFE_S', 600, {
    meaning: 'life of the tokens that npm run cluster issues; each is renewed after a third of it',
  }),
  jobsUrls: list('JOBS_URLS', { unit: 'a,b', meaning: 'where the jobs service takes calls' }),
  workUrls: list('WORK_URLS', { unit: 'a,b', meaning: 'where the jobs service takes workers: its WORK_PORT' }),
  assetsUrls: list('ASSETS_URLS', { unit: 'a,b', meaning: 'where the assets service takes calls' }),
  validationUrls: list('VALIDATION_URLS', { unit: 'a,b', meaning: 'where the validation service takes calls' }),
  logsUrls: list('LOGS_URLS', { unit: 'a,b', meaning: 'where the logs service takes calls' }),
  opsHost: text('OPS_HOST', '127.0.0.1', { meaning: 'address of livez, readyz and metrics' }),
  registryPort: optionalText('REGISTRY_PORT', { unit: 'port', meaning: 'registry on a port of its own' }),
  bootstrapKey: optionalText('BOOTSTRAP_KEY', { meaning: 'managed and dedicated: first API key', secret: true }),
  staticToken: optionalText('STATIC_TOKEN', { meaning: 'bearer token that every request must carry', secret: true }),
  publicBaseUrl: optionalText('PUBLIC_BASE_URL', {
    meaning: 'origin of the links in answers; unset: that of the request',
  }),
  trustForwarded: flag('TRUST_FORWARDED', false, { meaning: 'believe X-Forwarded-Host and -Proto' }),
  allowedHosts: hosts('ALLOWED_HOSTS', {
    unit: 'a,b',
    meaning: 'host names and addresses by which it may be called, beside loopback and HEDDLE_HOST itself',
  }),
  corsOrigins: list('CORS_ORIGINS', { unit: 'a,b', meaning: 'origins of web pages that may call' }),
  urlExpiry: choice('URL_EXPIRY', 'timestamp', ['timestamp', 'null'], {
    meaning: 'url_expires_at of assets and outputs: now + 24 h, or null',
  }),
  logLevel: choice('LOG_LEVEL', 'info', ['debug', 'info', 'warn', 'error'], {
    meaning: 'least level of the log on standard error',
  }),

  workers: wholeNumber('WORKERS', 1, { min: 0, max: 256 }, { unit: 'jobs', meaning: 'jobs run at once; 0: they wait' }),
  queueDepthAccount: wholeNumber('QUEUE_DEPTH_ACCOUNT', 100, MANY, {
    unit: 'jobs',
    meaning: 'waiting jobs of one account',
  }),
  queueDepth: wholeNumber('QUEUE_DEPTH', 10_000, MANY, { unit: 'jobs', meaning: 'waiting jobs of the deployment' }),
  jobRetention: seconds('JOB_RETENTION_S', 30 * DAY, { meaning: 'how long a job is kept after it was created' }),
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
  snapshotAlarm: seconds('SNAPSHOT_ALARM_S', 300, { meaning: 'age of an open database snapshot that is reported' }),
  retryDelay: seconds('RETRY_DELAY_S', 1, { meaning: 'a lost attempt waits so long, times the attempts spent' }),
  peerBeat: seconds('PEER_BEAT_S', 1, { meaning: 'how often a jobs replica shows the others that it lives' }),
  clockTolerance: seconds('CLOCK_TOLERANCE_S', 300, {
    meaning: "a larger jump of the database's clock puts deadlines off until it settles",
  }),
  assetsOutage: seconds('ASSETS_OUTAGE_S', 300, {
    meaning: 'how long a running job waits for an assets service that is away',
  }),
  drain: seconds('DRAIN_S', 5, { meaning: 'how long running jobs may go on at a stop' }),

  bodyBytes: wholeNumber('BODY_BYTES', 10 * 1024 ** 2, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'body of a submission',
  }),
  bodyBudget: wholeNumber('BODY_BUDGET_BYTES', 256 * 1024 ** 2, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'bodies that a process holds at once, on all of its ports',
  }),
  bodyTimeout: seconds('BODY_TIMEOUT_S', 30, { meaning: 'for a JSON body to arrive' }),
  connections: wholeNumber('CONNECTIONS', 20_000, AT_LEAST_ONE, {
    unit: 'connections',
    meaning: 'open connections of one port; more are closed at once',
  }),
  unauthenticatedConnections: wholeNumber('UNAUTHENTICATED_CONNECTIONS', 2_000, AT_LEAST_ONE, {
    unit: 'connections',
    meaning: 'of these, without a request that was admitted yet; a new one takes the place of the oldest',
  }),
  headersTimeout: seconds('HEADERS_TIMEOUT_S', 10, { meaning: 'for the head of a request to arrive' }),
  urlBytes: wholeNumber('URL_BYTES', 4096, { min: 64, max: 65_536 }, { unit: 'bytes', meaning: 'request target' }),
  headerBytes: wholeNumber(
    'HEADER_BYTES',
    16_384,
    { min: 256, max: 1_048_576 },
    { unit: 'bytes', meaning: 'headers of a request' },
  ),
  headerLines: wholeNumber('HEADER_LINES', 64, AT_LEAST_ONE, { unit: 'lines', meaning: 'headers of a request' }),
  numberDigits: wholeNumber('NUMBER_DIGITS', 64, AT_LEAST_ONE, { unit: 'characters', meaning: 'one number of a body' }),
  credentialBytes: wholeNumber('CREDENTIAL_BYTES', 8192, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'one credential in extra_data',
  }),
  nodeInputs: wholeNumber('NODE_INPUTS', 256, AT_LEAST_ONE, { unit: 'inputs', meaning: 'inputs of a graph node' }),
  nodeIdBytes: wholeNumber('NODE_ID_BYTES', 128, AT_LEAST_ONE, { unit: 'bytes', meaning: 'id of a graph node' }),
  stringBytes: wholeNumber('STRING_BYTES', 1_048_576, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'one text value of a graph',
  }),
  jsonKeys: wholeNumber('JSON_KEYS', 200_000, AT_LEAST_ONE, { unit: 'keys', meaning: 'keys of a body' }),
  graphLinks: wholeNumber('GRAPH_LINKS', 50_000, AT_LEAST_ONE, { unit: 'links', meaning: 'links of a graph' }),
  graphNodes: wholeNumber('GRAPH_NODES', 5000, AT_LEAST_ONE, { unit: 'nodes', meaning: 'nodes of a graph' }),
  jsonDepth: wholeNumber('JSON_DEPTH', 64, { min: 1, max: 10_000 }, { unit: 'levels', meaning: 'nesting of a body' }),
  assetReferences: wholeNumber('ASSET_REFERENCES', 256, MANY, {
    unit: 'assets',
    meaning: 'asset references of a graph',
  }),
  readRate: seconds('READ_RATE', 50, { unit: '1/s', meaning: 'job reads of an account, steady' }),
  readBurst: wholeNumber('READ_BURST', 200, AT_LEAST_ONE, {
    unit: 'reads',
    meaning: 'job reads of an account, at once',
  }),
  streamsAccount: wholeNumber('STREAMS_ACCOUNT', 256, MANY, {
    unit: 'streams',
    meaning: 'open event streams of an account',
  }),
  streams: wholeNumber('STREAMS', 10_000, MANY, { unit: 'streams', meaning: 'open event streams of the process' }),
  stalled: seconds('STALLED_S', 30, { meaning: 'a connection whose reader takes nothing for so long is cut' }),
  previewBytes: wholeNumber('PREVIEW_BYTES', 262_144, MANY, {
    unit: 'bytes',
    meaning: 'a larger preview is not shown',
  }),
  heartbeat: seconds('HEARTBEAT_S', 15, { meaning: 'comment on an idle event stream' }),

  uploadBytes: wholeNumber('UPLOAD_BYTES', 104_857_600, AT_LEAST_ONE, { unit: 'bytes', meaning: 'file of an upload' }),
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
  keyLife: seconds('KEY_LIFE_S', DAY, { meaning: 'how long an idempotency key is held' }),
  provisionalHold: seconds('PROVISIONAL_HOLD_S', 600, {
    meaning: 'minimum age before the jobs service is asked about a hold that no event has named',
  }),
  unconfirmedOutput: seconds('UNCONFIRMED_OUTPUT_S', DAY, {
    meaning: 'minimum age before the jobs service is asked about an output that no event has named',
  }),
  uploadRetention: optionalSeconds('UPLOAD_RETENTION_S', {
    meaning: 'how long uploads are kept',
    unsetMeans: 'for ever',
  }),
  blobGrace: seconds('BLOB_GRACE_S', 22_500, { meaning: 'time between the last reference and the deletion of bytes' }),
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
  dedupDisclosure: choice('DEDUP_DISCLOSURE', 'account', ['account', 'platform'], {
    meaning: 'created_new judges by the account or the platform',
  }),

  diskFree: optionalWholeNumber('DISK_FREE_BYTES', MANY_BYTES, {
    unit: 'bytes',
    meaning: 'less free space on a disk that is written to is degraded: disk',
    unsetMeans: '1 GiB or 2 % of the disk, whichever is less',
  }),
  diskLook: seconds('DISK_LOOK_S', 5, { meaning: 'between two looks at the free space' }),
  engineMemory: wholeNumber(
    'ENGINE_MEMORY_MB',
    2048,
    { min: 64, max: 1_000_000 },
    { unit: 'MiB', meaning: 'memory of one built-in engine process' },
  ),
  engineUser: optionalText('ENGINE_USER', {
    unit: 'user',
    meaning: 'as root: who built-in engine processes run as; unset: heddle-engine, or an id that nobody has',
  }),
  engineCache: wholeNumber('ENGINE_CACHE_MB', 256, MANY, {
    unit: 'MiB',
    meaning: 'node outputs that one built-in engine process keeps',
  }),
  maxOutputs: wholeNumber('MAX_OUTPUTS', 1000, { min: 1, max: 1000 }, { unit: 'outputs', meaning: 'outputs of a job' }),
  outputBytes: wholeNumber(
    'OUTPUT_BYTES',
    2 * 1024 ** 3,
    { min: 1, max: 2 ** 40 },
    { unit: 'bytes', meaning: 'one output' },
  ),

  failpoints: optionalText('FAILPOINTS', { meaning: 'tests only: where to end the process' }),
  testNodes: flag('TEST_NODES', false, { meaning: 'tests only: HeddleTest nodes of the built-in engine' }),
} as const;
