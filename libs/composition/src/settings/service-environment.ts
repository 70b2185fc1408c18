import { pickEnvironment, systemEnvironment } from '@heddle/platform-telemetry/child-environment';
import { SETTINGS } from './settings-table.js';

type SettingKey = keyof typeof SETTINGS;

/** Services that are processes of their own in a cluster. */
export type ClusterProcess = 'gateway' | 'jobs' | 'assets' | 'logs' | 'validation' | 'worker';

/** Bounds of connections, heads and bodies, on every port of every process. */
const PORTS: readonly SettingKey[] = [
  'connections',
  'unauthenticatedConnections',
  'headersTimeout',
  'stalled',
  'bodyBudget',
];
const EVERY_PROCESS: readonly SettingKey[] = ['logLevel', 'opsHost', 'opsPort', 'failpoints', ...PORTS];
const CALLERS: readonly SettingKey[] = [
  'serviceToken',
  'serviceTokenFile',
  'callsTlsCa',
  'callsTlsCert',
  'callsTlsKey',
  'callsPlain',
];
const CALLED: readonly SettingKey[] = [
  'callsHost',
  'callsPort',
  'callsAddress',
  'callsTlsCa',
  'callsTlsCert',
  'callsTlsKey',
  'callsPlain',
  'servicePublicKey',
  'serviceTokenAudience',
];
const BUS: readonly SettingKey[] = [
  'kafkaBrokers',
  'kafkaPrefix',
  'kafkaTls',
  'kafkaTlsCa',
  'kafkaTlsCert',
  'kafkaTlsKey',
  'kafkaSaslMechanism',
  'kafkaSaslUsername',
  'kafkaSaslPassword',
  'kafkaPartitions',
  'kafkaReplication',
  'kafkaRetention',
];
const DISK: readonly SettingKey[] = ['diskFree', 'diskLook'];
const ENGINE: readonly SettingKey[] = ['engine', 'engineInputFolder', 'engineInputKeep', 'data', 'testNodes'];

/**
 * Which service reads which settings: a process of a cluster is given these and no others, so that it holds no secret that
 * it does not need. A setting belongs in the list of every service that reads it.
 */
const READ_BY: Readonly<Record<ClusterProcess, readonly SettingKey[]>> = {
  gateway: [
    ...EVERY_PROCESS,
    ...CALLERS,
    ...BUS,
    'port',
    'host',
    'surface',
    'staticToken',
    'bootstrapKey',
    'publicBaseUrl',
    'trustForwarded',
    'allowedHosts',
    'corsOrigins',
    'urlExpiry',
    'jobsUrls',
    'assetsUrls',
    'validationUrls',
    'logsUrls',
    'bodyBytes',
    'bodyTimeout',
    'urlBytes',
    'headerBytes',
    'headerLines',
    'readRate',
    'readBurst',
    'streamsAccount',
    'streams',
    'heartbeat',
    'uploadBytes',
    'uploadOverheadBytes',
    'uploadTimeout',
  ],
  jobs: [
    ...EVERY_PROCESS,
    ...CALLERS,
    ...CALLED,
    ...BUS,
    ...DISK,
    'surface',
    'databaseUrl',
    'workPort',
    'queueDepthAccount',
    'queueDepth',
    'jobRetention',
    'maxRuntime',
    'maxQueueWait',
    'lease',
    'maxAttempts',
    'cancelGrace',
    'retryDelay',
    'keyLife',
    'logPartition',
    'checkpoints',
    'checkpointKey',
    'checkpointInterval',
    'snapshotAlarm',
    'peerBeat',
    'clockTolerance',
  ],
  assets: [
    ...EVERY_PROCESS,
    ...CALLERS,
    ...CALLED,
    ...BUS,
    ...DISK,
    'databaseUrl',
    'data',
    'jobsUrls',
    's3Endpoint',
    's3Bucket',
    's3AccessKey',
    's3SecretKey',
    's3Region',
    's3Checksums',
    's3PathStyle',
    's3PublicEndpoint',
    'uploadBytes',
    'uploadTimeout',
    'uploadRetention',
    'uploadOverheadBytes',
    'uploadParts',
    'partHeadBytes',
    'fieldBytes',
    'slowBodyRate',
    'slowBodyWindow',
    'outputBytes',
    'dedupDisclosure',
    'keyLife',
    'provisionalHold',
    'unconfirmedOutput',
    'blobGrace',
    'assetSweep',
    'scrubRate',
    'scrubPass',
    'strayAge',
    'strayPass',
    'removeStrays',
  ],
  logs: [...EVERY_PROCESS, ...CALLERS, ...CALLED, ...BUS, 'databaseUrl', 'jobsUrls'],
  validation: [
    ...EVERY_PROCESS,
    ...CALLED,
    ...ENGINE,
    'graphNodes',
    'graphLinks',
    'nodeInputs',
    'nodeIdBytes',
    'stringBytes',
    'assetReferences',
    'jsonDepth',
    'jsonKeys',
    'numberDigits',
    'credentialBytes',
  ],
  worker: [
    ...EVERY_PROCESS,
    ...CALLERS,
    ...ENGINE,
    ...DISK,
    'workUrls',
    'assetsUrls',
    'logsUrls',
    'workers',
    'drain',
    'assetsOutage',
    'maxOutputs',
    'outputBytes',
    'previewBytes',
    'engineUser',
    'engineMemory',
    'engineCache',
  ],
};

/** Settings that no service of a cluster reads: of standalone, of launchers, and of parts that are not built yet. */
export const OF_NO_SERVICE: readonly SettingKey[] = ['engineModelFolders', 'registryPort', 'serviceTokenLife'];

/** The keys of the settings that a service reads. */
export function settingsOf(service: ClusterProcess): ReadonlySet<SettingKey> {
  return new Set(READ_BY[service]);
}

/** The environment of a service's process: what the system's parts read, the settings of this service, and nothing else. */
export function serviceEnvironment(
  service: ClusterProcess,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = new Set(READ_BY[service].map((key) => `HEDDLE_${SETTINGS[key].name}`));
  return { ...systemEnvironment(env), ...pickEnvironment(env, (name) => names.has(name)) };
}
