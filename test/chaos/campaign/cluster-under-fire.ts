import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PlainProgress, readReplicas, startCluster } from '@heddle/app-cluster';
import type { Infrastructure, RunningCluster, ServiceName } from '@heddle/app-cluster';
import { readSettings } from '@heddle/composition';
import { prepareDatabase } from '@heddle/composition/prepare-cluster';
import { startKafka, startS3Server } from '@heddle/local-servers';
import type { RunningKafka, RunningS3 } from '@heddle/local-servers';
import { FaultProxy } from '@heddle/testing-cluster';
import { privateServer } from '@heddle/testing-database';
import type { PrivateServer } from '@heddle/testing-database';
import pg from 'pg';
import { SmallDisk } from './small-disk.ts';

const CACHE = resolve(import.meta.dirname, '../../../.cache');
const BUCKET = 'heddle-campaign';
const DISK_MIB = 768;
const REPLICAS = 'gateway=2,jobs=2,worker=2,assets=2,validation=2';

/** Short, so that a fault can last longer. */
export const LEASE_MS = 6_000;

/** Sweeps run soon after a crash, and limits that are not under test are raised. */
export const CAMPAIGN_SETTINGS: Readonly<Record<string, string>> = {
  HEDDLE_PORT: '0',
  HEDDLE_TEST_NODES: '1',
  HEDDLE_LOG_LEVEL: 'info',
  HEDDLE_KAFKA_PARTITIONS: '4',
  HEDDLE_QUEUE_DEPTH_ACCOUNT: '100000',
  HEDDLE_READ_RATE: '1000000',
  HEDDLE_READ_BURST: '1000000',
  HEDDLE_LEASE_S: String(LEASE_MS / 1000),
  HEDDLE_RETRY_DELAY_S: '0.2',
  HEDDLE_MAX_ATTEMPTS: '50',
  HEDDLE_CANCEL_GRACE_S: '10',
  HEDDLE_BLOB_GRACE_S: '0',
  HEDDLE_ASSET_SWEEP_S: '0.5',
  // Longer than a broker is away: an output is unconfirmed until its job's events arrive.
  HEDDLE_UNCONFIRMED_OUTPUT_S: '60',
  // Short enough for sweeps during the campaign.
  HEDDLE_PROVISIONAL_HOLD_S: '60',
};

export interface CampaignClusterOptions {
  readonly brokers: number;
  /** Random numbers for faults */
  random(): number;
  progress(line: string): void;
}

export type AnsweringProcess = Exclude<ServiceName, 'gateway' | 'registry' | 'worker'>;

/** A cluster of real processes and servers, with a fault proxy on every connection between them */
export interface ClusterUnderFire {
  readonly url: string;
  readonly processes: RunningCluster['processes'];
  readonly postgres: PrivateServer;
  readonly kafka: RunningKafka;
  readonly s3: RunningS3;
  /** The small disk of the database, or the reason why there is none. */
  readonly disk: SmallDisk | string;
  readonly ways: {
    readonly database: readonly FaultProxy[];
    readonly broker: readonly FaultProxy[];
    readonly s3: readonly FaultProxy[];
    readonly calls: Readonly<Record<AnsweringProcess, readonly FaultProxy[]>>;
  };
  /** The owner's connections to the database, without the proxy */
  readonly owner: pg.Pool;
  readonly objectsFolder: string;
  readonly dataDir: string;
  /** Addresses of the proxies: brokers advertise only these. */
  readonly brokers: readonly string[];
  /** Environment of an operator of this cluster */
  readonly operatorEnv: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

type Step = () => Promise<unknown>;

export async function startClusterUnderFire(options: CampaignClusterOptions): Promise<ClusterUnderFire> {
  const undo: Step[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse())
      await step().catch((error: unknown) => options.progress(String(error)));
  };
  try {
    return await start(options, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: CampaignClusterOptions, undo: Step[], stop: Step): Promise<ClusterUnderFire> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-campaign-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const proxy = async (): Promise<FaultProxy> => {
    const made = new FaultProxy(options.random);
    await made.listen();
    undo.push(() => made.close());
    return made;
  };
  const broker = await Promise.all(Array.from({ length: options.brokers }, proxy));
  const [database, s3Proxy] = [await proxy(), await proxy()];
  const disk = SmallDisk.mount(DISK_MIB);
  if (typeof disk !== 'string') undo.push(async () => await Promise.resolve(disk.unmount()));
  const [kafka, s3, postgres] = await Promise.all([
    startKafka({
      cacheDir: CACHE,
      dataDir: join(dataDir, 'kafka'),
      brokers: options.brokers,
      advertisedPorts: broker.map(({ port }) => port),
    }).then((kafka) => {
      undo.push(() => kafka.stop());
      broker.forEach((way, at) => (way.target = portOf(kafka.brokers[at]!)));
      return kafka;
    }),
    startS3Server({ cacheDir: CACHE, dataDir: join(dataDir, 's3') }).then((s3) => {
      undo.push(() => s3.stop());
      s3Proxy.target = Number(new URL(s3.endpoint).port);
      return s3;
    }),
    serverOn(disk).then((postgres) => {
      undo.push(() => postgres.remove());
      return postgres;
    }),
  ]);
  const { owner, ownerUrl, urls, port } = await prepare(postgres, database.port);
  undo.push(() => owner.end());
  database.target = port;
  const brokers = broker.map((way) => `127.0.0.1:${way.port}`);
  const calls: Record<AnsweringProcess, FaultProxy[]> = { jobs: [], assets: [], validation: [], logs: [] };
  const env = {
    ...inherited(),
    ...CAMPAIGN_SETTINGS,
    HEDDLE_DATA: dataDir,
    HEDDLE_KAFKA_REPLICATION: String(Math.min(3, options.brokers)),
  };
  const endpoint = `http://127.0.0.1:${s3Proxy.port}`;
  const cluster = await startCluster({
    settings: readSettings(env),
    env,
    replicas: readReplicas(REPLICAS),
    deployments: [],
    brokers: options.brokers,
    dataDir,
    cacheDir: CACHE,
    infrastructure: {
      databaseUrls: urls,
      brokers,
      s3: { endpoint, accessKey: s3.accessKey, secretKey: s3.secretKey, bucket: BUCKET },
    },
    calledAt: async (service, callsPort) => {
      if (service === 'gateway' || service === 'registry' || service === 'worker') return callsPort;
      const way = await proxy();
      way.target = callsPort;
      calls[service].push(way);
      return way.port;
    },
    progress: new PlainProgress(options.progress),
  });
  undo.push(() => cluster.stop());
  const objectsFolder = join(dataDir, 's3', 'objects', BUCKET, 'b');
  const ways = { database: [database], broker, s3: [s3Proxy], calls };
  const { url, processes } = cluster;
  return {
    url,
    processes,
    postgres,
    kafka,
    s3,
    disk,
    ways,
    owner,
    objectsFolder,
    dataDir,
    brokers,
    operatorEnv: { ...env, HEDDLE_DATABASE_URL: ownerUrl, HEDDLE_KAFKA_BROKERS: brokers.join(',') },
    stop: async () => void (await stop()),
  };
}

/** The server creates its files in the temporary folder, which is the small disk during this start. */
async function serverOn(disk: SmallDisk | string): Promise<PrivateServer> {
  if (typeof disk === 'string') return await privateServer();
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = disk.folder;
  try {
    return await privateServer();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

async function prepare(
  postgres: PrivateServer,
  proxyPort: number,
): Promise<{ owner: pg.Pool; ownerUrl: string; urls: Infrastructure['databaseUrls']; port: number }> {
  const admin = new pg.Client({ connectionString: postgres.url() });
  await admin.connect();
  await admin.query('create database heddle');
  // The write-ahead log must be much smaller than the disk.
  await admin.query(`alter system set max_wal_size = '128MB'`);
  await admin.query('select pg_reload_conf()');
  await admin.end();
  const ownerUrl = postgres.url('heddle');
  const { roles } = await prepareDatabase(ownerUrl);
  const port = Number(new URL(ownerUrl).port);
  const urlOf = (service: string): string => {
    const url = new URL(roles.find((role) => role.service === service)?.databaseUrl ?? '');
    url.port = String(proxyPort);
    return url.href;
  };
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 4, connectionTimeoutMillis: 5_000 });
  owner.on('error', () => undefined);
  return {
    owner,
    ownerUrl,
    urls: {
      jobs: urlOf('jobs'),
      assets: urlOf('assets'),
      logs: urlOf('logs'),
      accounts: urlOf('accounts'),
      deployments: urlOf('deployments'),
      registry: urlOf('registry'),
    },
    port,
  };
}

function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('HEDDLE_'),
  );
  return Object.fromEntries(entries);
}

function portOf(address: string): number {
  return Number(address.split(':').at(-1));
}
