import { ACCOUNTS_SETTINGS } from '@heddle/accounts/settings';
import { ASSETS_SETTINGS } from '@heddle/assets/settings';
import { DEPLOYMENTS_SETTINGS } from '@heddle/deployments/settings';
import { GATEWAY_SETTINGS } from '@heddle/gateway/settings';
import { JOBS_SETTINGS } from '@heddle/jobs/settings';
import { PARTNER_PROXY_SETTINGS } from '@heddle/partner-proxy/settings';
import { REGISTRY_SETTINGS } from '@heddle/registry/settings';
import { VALIDATION_SETTINGS } from '@heddle/validation/settings';
import { WORKER_SETTINGS } from '@heddle/worker/settings';
import {
  ADDRESS_SETTINGS,
  BYTES_PORT_SETTINGS,
  CALLED_SETTINGS,
  CALLER_SETTINGS,
  CALLS_TLS_SETTINGS,
  WORK_PORT_SETTINGS,
} from './call-settings.js';
import { BUILTIN_ENGINE_SETTINGS, ENGINE_SETTINGS } from './engine-settings.js';
import { KAFKA_SETTINGS } from './kafka-settings.js';
import { LAUNCHER_SETTINGS } from './launcher-settings.js';
import { ADMIN_SETTINGS, PROCESS_SETTINGS } from './process-settings.js';
import {
  DATA_SETTINGS,
  DATABASE_SETTINGS,
  DEPLOYMENTS_DATABASE_SETTINGS,
  DISK_SETTINGS,
  ROLE_DATABASE_SETTINGS,
  S3_SETTINGS,
} from './storage-settings.js';

const CALLS = {
  ...CALLED_SETTINGS,
  ...CALLER_SETTINGS,
  ...CALLS_TLS_SETTINGS,
  ...WORK_PORT_SETTINGS,
  ...BYTES_PORT_SETTINGS,
};

/** All settings in the order of the help. Environment `HEDDLE_<name>`, flag `--<name>` in kebab-case. */
export const SETTINGS = {
  ...GATEWAY_SETTINGS,
  ...ACCOUNTS_SETTINGS,
  ...VALIDATION_SETTINGS,
  ...JOBS_SETTINGS,
  ...DEPLOYMENTS_SETTINGS,
  ...ASSETS_SETTINGS,
  ...REGISTRY_SETTINGS,
  ...PARTNER_PROXY_SETTINGS,
  ...WORKER_SETTINGS,
  ...ENGINE_SETTINGS,
  ...BUILTIN_ENGINE_SETTINGS,
  ...DATA_SETTINGS,
  ...DATABASE_SETTINGS,
  ...DEPLOYMENTS_DATABASE_SETTINGS,
  ...ROLE_DATABASE_SETTINGS,
  ...DISK_SETTINGS,
  ...S3_SETTINGS,
  ...KAFKA_SETTINGS,
  ...CALLS,
  ...ADDRESS_SETTINGS,
  ...PROCESS_SETTINGS,
  ...ADMIN_SETTINGS,
  ...LAUNCHER_SETTINGS,
};

export type SettingKey = keyof typeof SETTINGS;

/** Services that run as separate processes in a cluster */
export type ClusterProcess = 'gateway' | 'jobs' | 'assets' | 'logs' | 'validation' | 'registry' | 'worker';

const CALLERS = { ...PROCESS_SETTINGS, ...CALLER_SETTINGS, ...CALLS_TLS_SETTINGS };
const CALLED = { ...PROCESS_SETTINGS, ...CALLED_SETTINGS, ...CALLS_TLS_SETTINGS };
const ENGINE = { ...ENGINE_SETTINGS, ...DATA_SETTINGS };

/**
 * The settings of each service. A cluster process receives only these, so that it holds no secret that it does not need.
 * First the settings that the context declares, then others that it reads.
 */
export const READ_BY: Readonly<Record<ClusterProcess, readonly SettingKey[]>> = {
  gateway: [
    ...keysOf(GATEWAY_SETTINGS, ACCOUNTS_SETTINGS, CALLERS, KAFKA_SETTINGS, ADMIN_SETTINGS),
    ...([
      'databaseUrl',
      'accountsDatabaseUrl',
      'databasePool',
      'jobsUrls',
      'assetsUrls',
      'assetsBytesUrls',
      'validationUrls',
      'logsUrls',
      'registryUrls',
    ] as const),
    ...(['uploadBytes', 'uploadOverheadBytes', 'uploadTimeout'] as const),
  ],
  jobs: [
    ...keysOf(
      JOBS_SETTINGS,
      DEPLOYMENTS_SETTINGS,
      CALLERS,
      CALLED,
      KAFKA_SETTINGS,
      DATABASE_SETTINGS,
      DEPLOYMENTS_DATABASE_SETTINGS,
      DISK_SETTINGS,
      WORK_PORT_SETTINGS,
    ),
    ...(['surface', 'deploymentHost', 'bodyBytes'] as const),
  ],
  assets: [
    ...keysOf(ASSETS_SETTINGS, CALLERS, CALLED, KAFKA_SETTINGS, DATABASE_SETTINGS, DATA_SETTINGS, DISK_SETTINGS),
    ...keysOf(S3_SETTINGS, BYTES_PORT_SETTINGS),
    'jobsUrls',
    ...(['keyLife', 'bodyBytes', 'surface', 'signedUrlKeys'] as const),
  ],
  logs: [...keysOf(CALLERS, CALLED, KAFKA_SETTINGS, DATABASE_SETTINGS), 'jobsUrls', 'bodyBytes'],
  validation: [
    ...keysOf(VALIDATION_SETTINGS, CALLERS, CALLED, ENGINE),
    ...(['surface', 'jobsUrls', 'registryUrls', 'bodyBytes'] as const),
  ],
  registry: [
    ...keysOf(REGISTRY_SETTINGS, PARTNER_PROXY_SETTINGS, DATABASE_SETTINGS, CALLERS, CALLED, KAFKA_SETTINGS),
    ...(['accountsDatabaseUrl', 'jobsUrls'] as const),
    ...keysOf(DATA_SETTINGS, DISK_SETTINGS, S3_SETTINGS),
    ...(['host', 'surface', 'staticToken', 'authFailures', 'keyPepper', 'keyCache', 'deploymentHost'] as const),
    ...(['managedHosts', 'allowedHosts', 'corsOrigins', 'trustForwarded', 'publicScheme'] as const),
    ...([
      'bodyBytes',
      'bodyTimeout',
      'urlBytes',
      'headerBytes',
      'headerLines',
      'uploadTimeout',
      'slowBodyRate',
      'slowBodyWindow',
    ] as const),
  ],
  worker: [
    ...keysOf(WORKER_SETTINGS, CALLERS, ENGINE, BUILTIN_ENGINE_SETTINGS, DISK_SETTINGS),
    ...(['workUrls', 'assetsUrls', 'assetsBytesUrls', 'logsUrls', 'outputBytes'] as const),
  ],
};

/** Settings that no service of a cluster reads */
export const OF_NO_SERVICE: readonly SettingKey[] = [
  ...keysOf(LAUNCHER_SETTINGS),
  ...(['jobsDatabaseUrl', 'assetsDatabaseUrl', 'logsDatabaseUrl', 'registryDatabaseUrl'] as const),
];

function keysOf(...tables: readonly Partial<Record<SettingKey, unknown>>[]): SettingKey[] {
  return [...new Set(tables.flatMap((table) => Object.keys(table) as SettingKey[]))];
}
