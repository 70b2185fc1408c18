import { accountsSettings } from '@heddle/accounts/settings';
import { assetsSettings } from '@heddle/assets/settings';
import { deploymentsSettings } from '@heddle/deployments/settings';
import { gatewaySettings } from '@heddle/gateway/settings';
import { jobsSettings } from '@heddle/jobs/settings';
import { partnerProxySettings } from '@heddle/partner-proxy/settings';
import { registrySettings } from '@heddle/registry/settings';
import { validationLimits } from '@heddle/validation/settings';
import { workerSettings } from '@heddle/worker/settings';
import { describe, expect, it } from 'vitest';
import { httpLimits } from '../process/http-limits.js';
import { engineOptions } from './engine-settings.js';
import { networkLimits } from './process-settings.js';
import { readSettings } from './settings.js';
import type { Settings } from './settings.js';
import { SETTINGS } from './settings-table.js';

/** Settings that the composition reads itself. */
const ELSEWHERE = [
  'port host opsPort opsHost surface engine data databaseUrl databasePool deploymentsDatabaseUrl jobsDatabaseUrl assetsDatabaseUrl logsDatabaseUrl accountsDatabaseUrl registryDatabaseUrl logLevel failpoints testNodes registryPort registrySigningKeys registryReserved bootstrapKey keyPepper adminToken',
  'videovendorKey imagevendorKey imagevendorWebhookSecret proxyPrices',
  'kafkaBrokers kafkaPrefix kafkaTls kafkaTlsCa kafkaTlsCert kafkaTlsKey kafkaSaslMechanism kafkaSaslUsername kafkaSaslPassword',
  'kafkaPartitions kafkaReplication kafkaRetention s3Endpoint s3Bucket s3AccessKey s3SecretKey s3Region s3Checksums s3PathStyle',
  's3PublicEndpoint signedUrlKeys credentialKeys callsPort callsHost callsAddress callsTlsCert callsTlsKey callsTlsCa callsTlsName callsPlain serviceToken serviceTokenFile servicePublicKey',
  'stop serviceTokenAudience serviceTokenLife engineUser diskFree diskLook',
  'checkpoints checkpointKey engineInputFolder engineInputKeep engineModelFolders workPort bytesPort jobsUrls workUrls assetsUrls assetsBytesUrls validationUrls logsUrls registryUrls',
].flatMap((names) => names.split(' '));

/** A value other than the default, as environment text */
const OTHER: Partial<Record<keyof typeof SETTINGS, string>> = {
  staticToken: 'another',
  publicScheme: 'https',
  deploymentHost: 'run.example',
  managedHosts: 'another.example',
  publicBaseUrl: 'https://another.example',
  trustForwarded: 'true',
  allowedHosts: 'another.example',
  corsOrigins: 'https://another.example',
  urlExpiry: 'null',
  removeOrphans: 'true',
  dedupDisclosure: 'platform',
  headerBytes: '777',
  keyCache: '7',
  moderationUrl: 'http://127.0.0.1:9000/scan',
  bodyBudget: '77777777',
  videovendorUrl: 'https://vendor.example',
  imagevendorUrl: 'https://vendor.example',
  videovendorModels: 'a=b',
  proxyAllowAnonymous: 'true',
  callbackAllow: 'example.test:8443',
  drain: '7',
  streamsDrain: '7',
};

function everyService(settings: Settings): string {
  const services = [
    gatewaySettings,
    accountsSettings,
    httpLimits,
    networkLimits,
    jobsSettings,
    deploymentsSettings,
    assetsSettings,
    (values: Settings) => registrySettings(values, {}),
    (values: Settings) => partnerProxySettings(values, {}),
    validationLimits,
    workerSettings,
    engineOptions,
  ];
  return JSON.stringify(services.map((of) => of(settings)));
}

describe('a setting', () => {
  const asDefault = everyService(readSettings({}));
  const names = (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).filter((name) => !ELSEWHERE.includes(name));

  it.each(names)('%s reaches a service', (name) => {
    const env = { [`HEDDLE_${SETTINGS[name].name}`]: OTHER[name] ?? '77' };
    expect(everyService(readSettings(env))).not.toBe(asDefault);
  });

  it('that is empty counts as unset', () => {
    const empty = Object.fromEntries(Object.values(SETTINGS).map(({ name }) => [`HEDDLE_${name}`, '']));
    expect(readSettings(empty)).toEqual(readSettings({}));
  });

  it('that cannot work says what would be right', () => {
    expect(() => readSettings({ HEDDLE_PORT: 'http' })).toThrow('HEDDLE_PORT must be a whole number from 0 to 65535');
    expect(() => readSettings({ HEDDLE_HOST: '0.0.0.0' })).toThrow('HEDDLE_STATIC_TOKEN');
    const open = { HEDDLE_HOST: '0.0.0.0', HEDDLE_STATIC_TOKEN: 't' };
    expect(() => readSettings({ ...open, HEDDLE_SURFACE: 'managed' })).toThrow('HEDDLE_MANAGED_HOSTS');
    expect(() => readSettings({ ...open, HEDDLE_SURFACE: 'dedicated' })).toThrow('HEDDLE_DEPLOYMENT_HOST');
    const links = { HEDDLE_DEPLOYMENT_HOST: 'run.example', HEDDLE_PUBLIC_BASE_URL: 'https://run.example' };
    expect(() => readSettings(links)).toThrow('exclude each other');
    expect(readSettings({ HEDDLE_HOST: '0.0.0.0', HEDDLE_STATIC_TOKEN: 't' }).host).toBe('0.0.0.0');
    expect(readSettings({ HEDDLE_LEASE_S: '0.25' }).lease).toBe(0.25);
  });

  it('is refused together with all others that cannot work, and with what was refused before', () => {
    const wrong = {
      HEDDLE_PORT: '99999',
      HEDDLE_WORKERS: '-1',
      HEDDLE_LEASE_S: 'soon',
      HEDDLE_HOST: '0.0.0.0',
      HEDDLE_S3_ENDPOINT: 'http://127.0.0.1:9000',
      HEDDLE_ENGINE: 'gpu',
    };
    let message = '';
    try {
      readSettings(wrong, { refusals: ['unknown setting "--prot"'] });
    } catch (error) {
      message = (error as Error).message;
    }
    const lines = message.split('\n');
    expect(lines[0]).toBe('unknown setting "--prot"');
    expect(
      lines
        .slice(1)
        .map((line) => /^HEDDLE_[A-Z0-9_]+/.exec(line)?.[0])
        .sort(),
    ).toEqual([
      'HEDDLE_ENGINE',
      'HEDDLE_HOST',
      'HEDDLE_LEASE_S',
      'HEDDLE_PORT',
      'HEDDLE_S3_ENDPOINT',
      'HEDDLE_WORKERS',
    ]);
    expect(lines).toContain('HEDDLE_PORT must be a whole number from 0 to 65535, not "99999"');
  });

  it('is not judged together with one that is wrong by itself', () => {
    const wrong = { HEDDLE_PORT: 'http', HEDDLE_OPS_PORT: '8189' };
    expect(() => readSettings(wrong)).toThrow(/^HEDDLE_PORT [^\n]*$/);
  });
});
