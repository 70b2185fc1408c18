import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReplicas, startCluster } from '@heddle/app-cluster';
import type { Infrastructure, RunningCluster } from '@heddle/app-cluster';
import { prepareDatabase, readSettings } from '@heddle/composition';
import pg from 'pg';
import { sharedServers } from './shared-servers.js';
import type { SharedServers } from './shared-servers.js';

export interface TestClusterOptions {
  /** Settings by their environment names, for every service. */
  readonly env?: Readonly<Record<string, string>>;
  /** e.g. `jobs=2,gateway=2`; two of each service that may have several, unless told. */
  readonly replicas?: string;
}

/** Every service of Heddle as real processes over real servers. */
export interface TestCluster extends RunningCluster {
  readonly servers: SharedServers;
  /** URL of the database's owner, for looking behind the services. */
  readonly ownerUrl: string;
  readonly dataDir: string;
  /** Everything that the processes have logged so far. */
  logs(): Promise<string>;
}

const TWO_OF_EACH = 'gateway=2,jobs=2,worker=2';

/** Brings up a cluster of its own, with a new database, bucket and topic prefix on the shared servers. */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const servers = await sharedServers();
  const name = `heddle_${randomBytes(5).toString('hex')}`;
  const ownerUrl = await createDatabase(servers.postgres, name);
  const { roles } = await prepareDatabase(ownerUrl);
  const urlOf = (service: string): string => roles.find((role) => role.service === service)?.databaseUrl ?? '';
  const infrastructure: Infrastructure = {
    databaseUrls: { jobs: urlOf('jobs'), assets: urlOf('assets') },
    brokers: servers.kafka.brokers,
    s3: { ...servers.s3, bucket: name.replaceAll('_', '-') },
    kafka: servers.kafka,
    s3Server: servers.s3,
    databasePid: null,
    stop: async () => await Promise.resolve(),
  };
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-test-cluster-'));
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([key, value]) => value !== undefined && !key.startsWith('HEDDLE_')),
    ),
    HEDDLE_PORT: '0',
    HEDDLE_DATA: dataDir,
    HEDDLE_KAFKA_PREFIX: `${name}.`,
    HEDDLE_KAFKA_PARTITIONS: '4',
    ...options.env,
  } as Record<string, string>;
  const told: string[] = [];
  const cluster = await startCluster({
    settings: readSettings(env),
    env,
    replicas: readReplicas(options.replicas ?? TWO_OF_EACH),
    brokers: 1,
    dataDir,
    cacheDir: '',
    infrastructure,
    progress: (line) => void told.push(line),
  });
  const logs = async (): Promise<string> => {
    const files = await readdir(join(dataDir, 'logs'));
    const texts = await Promise.all(files.map(async (file) => await readFile(join(dataDir, 'logs', file), 'utf8')));
    return [...texts, ...told].join('\n');
  };
  return {
    ...cluster,
    servers,
    ownerUrl,
    dataDir,
    logs,
    stop: async () => {
      await cluster.stop();
      await dropDatabase(servers.postgres, name);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function createDatabase(server: SharedServers['postgres'], name: string): Promise<string> {
  await asOwner(server, `create database ${name}`);
  return server.url(name);
}

async function dropDatabase(server: SharedServers['postgres'], name: string): Promise<void> {
  await asOwner(server, `drop database if exists ${name} with (force)`);
}

async function asOwner(server: SharedServers['postgres'], sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
