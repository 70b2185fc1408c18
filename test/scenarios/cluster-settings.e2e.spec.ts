import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@heddle/composition';
import { prepareTopics } from '@heddle/composition/prepare-cluster';
import { startKafka } from '@heddle/local-servers';
import type { RunningKafka } from '@heddle/local-servers';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';
import { program } from '@heddle/platform-telemetry/program';
import { freePort } from '@heddle/platform-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CACHE, describeOnServers } from './on-cluster.js';

const ENDS_WITHIN_MS = 100_000;
const START_WITHIN_MS = 240_000;
const SASL = { user: 'heddle', password: 'right-password' };

type ProcessName = 'gateway' | 'jobs' | 'assets' | 'validation' | 'worker';
interface Case {
  readonly what: string;
  readonly service: ProcessName;
  /** Null removes a setting. */
  readonly wrong: Readonly<Record<string, string | null>>;
  /** Expected message */
  readonly says: RegExp;
}

async function tokenFor(audience: string): Promise<string> {
  const claims = { service: 'gateway', audience, deploymentId: null, expiresAt: 9_999_999_999 };
  return await issueServiceToken(newServiceKeyPair().privateKey, claims);
}

const CASES: readonly Case[] = [
  {
    what: 'no token of its own',
    service: 'gateway',
    wrong: { HEDDLE_SERVICE_TOKEN: null },
    says: /HEDDLE_SERVICE_TOKEN/,
  },
  { what: 'no address of jobs', service: 'gateway', wrong: { HEDDLE_JOBS_URLS: null }, says: /HEDDLE_JOBS_URLS/ },
  { what: 'nobody to ask about jobs', service: 'assets', wrong: { HEDDLE_JOBS_URLS: null }, says: /HEDDLE_JOBS_URLS/ },
  { what: 'nobody to take jobs from', service: 'worker', wrong: { HEDDLE_WORK_URLS: null }, says: /HEDDLE_WORK_URLS/ },
  { what: 'no address of assets', service: 'worker', wrong: { HEDDLE_ASSETS_URLS: null }, says: /HEDDLE_ASSETS_URLS/ },
  {
    what: 'no public key',
    service: 'jobs',
    wrong: { HEDDLE_SERVICE_PUBLIC_KEY: null },
    says: /HEDDLE_SERVICE_PUBLIC_KEY/,
  },
  {
    what: 'no keys of partner credentials, where it serves managed',
    service: 'jobs',
    wrong: { HEDDLE_SURFACE: 'managed' },
    says: /HEDDLE_CREDENTIAL_KEYS is unset/,
  },
  { what: 'no database', service: 'jobs', wrong: { HEDDLE_DATABASE_URL: null }, says: /HEDDLE_DATABASE_URL/ },
  {
    what: 'another password',
    service: 'jobs',
    wrong: { HEDDLE_DATABASE_URL: 'password' },
    says: /HEDDLE_DATABASE_URL.*password/,
  },
  {
    what: "the owner's role",
    service: 'assets',
    wrong: { HEDDLE_DATABASE_URL: 'owner' },
    says: /HEDDLE_DATABASE_URL.*role/,
  },
  {
    what: 'a database that is not there',
    service: 'assets',
    wrong: { HEDDLE_DATABASE_URL: 'missing' },
    says: /HEDDLE_DATABASE_URL/,
  },
  {
    what: 'a wrong S3 secret',
    service: 'assets',
    wrong: { HEDDLE_S3_SECRET_KEY: 'wrong-secret' },
    says: /HEDDLE_S3_(ACCESS|SECRET)_KEY/,
  },
  {
    what: 'an unknown S3 key',
    service: 'assets',
    wrong: { HEDDLE_S3_ACCESS_KEY: 'nobody' },
    says: /HEDDLE_S3_ACCESS_KEY/,
  },
  {
    what: 'an S3 endpoint without a bucket',
    service: 'assets',
    wrong: { HEDDLE_S3_BUCKET: null },
    says: /HEDDLE_S3_BUCKET/,
  },
  {
    what: 'a wrong password for Kafka',
    service: 'gateway',
    wrong: { HEDDLE_KAFKA_SASL_PASSWORD: 'wrong' },
    says: /HEDDLE_KAFKA_SASL_PASSWORD/,
  },
  {
    what: 'no password for Kafka',
    service: 'jobs',
    wrong: { HEDDLE_KAFKA_SASL_PASSWORD: null },
    says: /HEDDLE_KAFKA_SASL_PASSWORD/,
  },
  {
    what: 'another number of partitions than the topics have',
    service: 'gateway',
    wrong: { HEDDLE_KAFKA_PARTITIONS: '3' },
    says: /heddle\.jobs\.events\.v1 has 1 partitions instead of 3.*HEDDLE_KAFKA_PARTITIONS/s,
  },
  {
    what: 'a certificate file that is not there',
    service: 'jobs',
    wrong: { HEDDLE_CALLS_TLS_CERT: '/none', HEDDLE_CALLS_TLS_KEY: '/none' },
    says: /HEDDLE_CALLS_TLS_CERT/,
  },
  {
    what: 'a call port beyond loopback without encryption',
    service: 'jobs',
    wrong: { HEDDLE_CALLS_HOST: '192.0.2.7' },
    says: /HEDDLE_CALLS_HOST 192\.0\.2\.7 leaves this machine.*HEDDLE_CALLS_TLS_CERT.*HEDDLE_CALLS_PLAIN=true/s,
  },
  {
    what: 'another service beyond loopback without encryption',
    service: 'gateway',
    wrong: { HEDDLE_ASSETS_URLS: 'http://192.0.2.7:8290' },
    says: /HEDDLE_ASSETS_URLS http:\/\/192\.0\.2\.7:8290.*HEDDLE_CALLS_TLS_CERT.*HEDDLE_CALLS_PLAIN=true/s,
  },
  {
    what: 'workers that would be taken beyond loopback without encryption',
    service: 'worker',
    wrong: { HEDDLE_WORK_URLS: 'http://jobs.example:8390' },
    says: /HEDDLE_WORK_URLS http:\/\/jobs\.example:8390.*HEDDLE_CALLS_TLS_CERT.*HEDDLE_CALLS_PLAIN=true/s,
  },
  {
    what: 'a token for another service than those that it calls',
    service: 'gateway',
    wrong: { HEDDLE_SERVICE_TOKEN: await tokenFor('registry') },
    says: /HEDDLE_SERVICE_TOKEN holds no token for calls of the \w+ service, only for registry/,
  },
  {
    what: 'an engine that is no URL',
    service: 'validation',
    wrong: { HEDDLE_ENGINE: 'nowhere' },
    says: /HEDDLE_ENGINE/,
  },
];

await describeOnServers('a service with a setting that cannot work', (on) => {
  let kafka: RunningKafka;
  let folder: string;
  let base: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-test-settings-'));
    kafka = await startKafka({ cacheDir: CACHE, dataDir: join(folder, 'kafka'), sasl: SASL });
    const { servers, place } = on();
    const broker = {
      HEDDLE_KAFKA_BROKERS: kafka.brokers.join(','),
      HEDDLE_KAFKA_SASL_MECHANISM: 'plain',
      HEDDLE_KAFKA_SASL_USERNAME: SASL.user,
      HEDDLE_KAFKA_SASL_PASSWORD: SASL.password,
      HEDDLE_KAFKA_PARTITIONS: '1',
    };
    await prepareTopics(readSettings(broker));
    const keys = newServiceKeyPair();
    base = {
      PATH: process.env['PATH'] ?? '',
      ...broker,
      HEDDLE_DATA: folder,
      HEDDLE_PORT: String(await freePort()),
      HEDDLE_OPS_PORT: String(await freePort()),
      HEDDLE_CALLS_PORT: String(await freePort()),
      HEDDLE_BYTES_PORT: String(await freePort()),
      HEDDLE_SERVICE_PUBLIC_KEY: keys.publicKey,
      HEDDLE_SERVICE_TOKEN: 'a.b.c',
      HEDDLE_JOBS_URLS: 'http://127.0.0.1:1',
      HEDDLE_WORK_URLS: 'http://127.0.0.1:1',
      HEDDLE_ASSETS_URLS: 'http://127.0.0.1:1',
      HEDDLE_VALIDATION_URLS: 'http://127.0.0.1:1',
      HEDDLE_S3_ENDPOINT: servers.s3.endpoint,
      HEDDLE_S3_BUCKET: place.bucket,
      HEDDLE_S3_ACCESS_KEY: servers.s3.accessKey,
      HEDDLE_S3_SECRET_KEY: servers.s3.secretKey,
    };
  }, START_WITHIN_MS);
  afterAll(async () => {
    await kafka?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(CASES)('ends with code 2 and names the setting: $service with $what', async ({ service, wrong, says }) => {
    const env: Record<string, string> = { ...base, ...databaseOf(service) };
    for (const [name, value] of Object.entries(wrong)) {
      if (value === null) delete env[name];
      else env[name] = name === 'HEDDLE_DATABASE_URL' ? databaseUrl(service, value) : value;
    }
    const { code, stderr } = await endOf(service, env);
    const message = stderr.split('\n').find((line) => line.startsWith('heddle: ')) ?? '';
    expect(code, stderr).toBe(2);
    expect(stderr.slice(stderr.indexOf(message))).toMatch(says);
    expect(stderr).not.toContain('    at ');
    for (const secret of [SASL.password, env['HEDDLE_S3_SECRET_KEY'], passwordIn(env['HEDDLE_DATABASE_URL'])]) {
      if (secret !== undefined && secret !== '') expect(stderr).not.toContain(secret);
    }
  });

  function databaseOf(service: ProcessName): Record<string, string> {
    return service === 'jobs' || service === 'assets' ? { HEDDLE_DATABASE_URL: on().place.databaseUrls[service] } : {};
  }

  function databaseUrl(service: ProcessName, how: string): string {
    const { databaseUrls, ownerUrl } = on().place;
    if (how === 'owner') return ownerUrl;
    const url = new URL(databaseUrls[service as 'jobs' | 'assets']);
    if (how === 'password') url.password = 'another-password';
    else url.pathname = '/not-there';
    return url.href;
  }
});

function passwordIn(url: string | undefined): string | undefined {
  return url === undefined ? undefined : decodeURIComponent(new URL(url).password);
}

/** Exit code of the process; a process that starts nevertheless is ended, and its code is null. */
async function endOf(
  service: ProcessName,
  env: Record<string, string>,
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, program(service), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.once('data', () => child.kill('SIGKILL'));
  const late = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  clearTimeout(late);
  return { code, stderr };
}
