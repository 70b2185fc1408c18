import { assetsSettings } from '@heddle/assets/settings';
import { gatewaySettings } from '@heddle/gateway/settings';
import { jobsSettings } from '@heddle/jobs/settings';
import { registrySettings } from '@heddle/registry/settings';
import { validationLimits } from '@heddle/validation/settings';
import { workerSettings } from '@heddle/worker/settings';
import { describe, expect, it } from 'vitest';
import { kafkaConnection } from '../connect/kafka-connection.js';
import { callsTls } from '../calls/calls-settings.js';
import { desiredTopics } from '../connect/topics.js';
import { httpLimits } from '../process/http-limits.js';
import { comfyUiOptions, engineOptions } from './engine-settings.js';
import { serviceEnvironment, settingsOf } from './service-environment.js';
import { readSettings } from './settings.js';
import type { Settings } from './settings.js';
import { OF_NO_SERVICE, SETTINGS } from './settings-table.js';
import type { ClusterProcess } from './settings-table.js';

const SERVICES: readonly ClusterProcess[] = ['gateway', 'jobs', 'assets', 'logs', 'validation', 'registry', 'worker'];
const KEYS = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];

/** The settings that a service's code reads. */
function readBy(...readers: ((settings: Settings) => unknown)[]): string[] {
  const read = new Set<string>();
  const settings = new Proxy(readSettings({}), {
    get: (target, key) => {
      read.add(String(key));
      return Reflect.get(target, key) as unknown;
    },
  });
  for (const reader of readers) reader(settings);
  return [...read];
}

describe('the environment of a service', () => {
  const calls = [callsTls, ({ bodyBytes }: Settings) => bodyBytes];
  const bus = [(settings: Settings) => kafkaConnection('x', settings), desiredTopics];
  it.each([
    ['gateway', [gatewaySettings, httpLimits, callsTls, ...bus]],
    ['jobs', [jobsSettings, ...calls, ...bus]],
    ['assets', [assetsSettings, ...calls, ...bus]],
    ['logs', [...calls, ...bus]],
    ['validation', [validationLimits, comfyUiOptions, ...calls]],
    ['registry', [(settings: Settings) => registrySettings(settings, {}), httpLimits, ...bus]],
    ['worker', [workerSettings, engineOptions, comfyUiOptions, callsTls]],
  ] as const)('holds every setting that %s reads', (service, readers) => {
    const missing = readBy(...readers).filter((key) => !settingsOf(service).has(key as keyof typeof SETTINGS));
    expect(missing).toEqual([]);
  });

  it.each(KEYS)('%s is read by some service, or listed as read by none', (key) => {
    const readers = SERVICES.filter((service) => settingsOf(service).has(key));
    expect(readers.length > 0).toBe(!OF_NO_SERVICE.includes(key));
  });

  it('holds no secret that the service does not need', () => {
    const secrets = KEYS.filter((key) => SETTINGS[key].secret);
    const table = Object.fromEntries(SERVICES.map((one) => [one, secrets.filter((key) => settingsOf(one).has(key))]));
    expect(table).toEqual({
      gateway: [
        'staticToken',
        'bootstrapKey',
        'databaseUrl',
        'accountsDatabaseUrl',
        'kafkaSaslPassword',
        'serviceToken',
        'adminToken',
      ],
      jobs: ['databaseUrl', 'deploymentsDatabaseUrl', 'kafkaSaslPassword', 'serviceToken'],
      assets: ['moderationUrl', 'databaseUrl', 's3AccessKey', 's3SecretKey', 'kafkaSaslPassword', 'serviceToken'],
      logs: ['databaseUrl', 'kafkaSaslPassword', 'serviceToken'],
      validation: ['serviceToken'],
      registry: [
        'staticToken',
        'videovendorKey',
        'imagevendorKey',
        'imagevendorWebhookSecret',
        'databaseUrl',
        'accountsDatabaseUrl',
        's3AccessKey',
        's3SecretKey',
        'kafkaSaslPassword',
        'serviceToken',
      ],
      worker: ['serviceToken'],
    });
  });

  it.each(KEYS.filter((key) => SETTINGS[key].secret && !OF_NO_SERVICE.includes(key)))(
    'holds the file of the secret %s where it holds the secret',
    (key) => {
      const name = `HEDDLE_${SETTINGS[key].name}`;
      const held = SERVICES.map((one) => serviceEnvironment(one, { [name]: 'x', [`${name}_FILE`]: '/x' }));
      for (const env of held) expect(`${name}_FILE` in env).toBe(name in env);
      expect(held.some((env) => `${name}_FILE` in env)).toBe(true);
    },
  );

  it('holds what Node, TLS, proxies, locale, time zone and telemetry read, and nothing else of a shell', () => {
    const system = {
      PATH: '/bin',
      TZ: 'UTC',
      LC_ALL: 'C',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      https_proxy: 'http://proxy:3128',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
    };
    const others = {
      AWS_SECRET_ACCESS_KEY: 'x',
      PGPASSWORD: 'x',
      NPM_TOKEN: 'x',
      SSH_AUTH_SOCK: 'x',
      HEDDLE_LESE_S: '7',
    };
    expect(serviceEnvironment('logs', { ...system, ...others, HEDDLE_LOG_LEVEL: 'debug' })).toEqual({
      ...system,
      HEDDLE_LOG_LEVEL: 'debug',
    });
  });
});
