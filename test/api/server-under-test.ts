import { dataFiles } from '@heddle/testing-api';
import type { DataFile } from '@heddle/testing-api';
import type { ServerAddresses, TestCluster, TestClusterOptions } from '@heddle/testing-cluster';
import { startStandalone } from '@heddle/testing-standalone';
import { join } from 'node:path';
import { embeddedDatabaseUrl } from './database.js';

type Env = Readonly<Record<string, string>>;

/** Settings of every server that the suite starts: test nodes, and polling that the suite's pace does not exhaust. */
export const SUITE_SETTINGS = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_READ_RATE: '1000',
  HEDDLE_READ_BURST: '2000',
  HEDDLE_LOG_LEVEL: 'info',
  // Tests that leave a job asleep need not wait for it at the end.
  HEDDLE_DRAIN_S: '0.2',
};

/** A Heddle that the suite has started, whatever it is made of. */
export interface ServerUnderTest {
  readonly url: string;
  /** Of a process that takes requests. */
  readonly opsUrl: string;
  /** What the process that takes requests was started with; null where it does everything else too. */
  readonly gatewayEnv: Env | null;
  readonly port: number;
  /** The process that takes requests, or one of them. */
  readonly pid: number;
  readonly dataDir: string;
  /** URL of the database's owner. */
  databaseUrl(): Promise<string>;
  /** Every file in which bytes of assets lie, finished or not. */
  storedFiles(): Promise<DataFile[]>;
  /** Everything that its processes have logged so far. */
  stderr(): string;
  /** SIGTERM; the exit code of the process, or the first that is not 0 of several. What it keeps stays. */
  terminate(): Promise<number | null>;
  /** SIGKILL of every process at once. */
  kill9(): Promise<void>;
  /** Another one, with other settings where given, on the same port and the same state; this one has ended. */
  again(env: Env): Promise<ServerUnderTest>;
  /** Ends it, and removes what it kept. */
  stop(): Promise<void>;
}

/** cluster: separate processes on Kafka, S3 and PostgreSQL; else one process with everything. */
export const topology = process.env['HEDDLE_TEST_TOPOLOGY'] === 'cluster' ? 'cluster' : 'standalone';

/** Where there are processes to count. */
export interface ServerShape {
  readonly gateways: number;
  /** Jobs that run at once. */
  readonly workers: number;
  /** Whether the logs of jobs are kept. */
  readonly logs: boolean;
}

/** Two of each, so that requests, events and jobs meet processes that know of them by others alone. */
export function sharedShape(env: Env): ServerShape {
  return { gateways: topology === 'cluster' ? 2 : 1, workers: workersOf(env, 2), logs: true };
}

/**
 * Blocks with settings of their own are about what one process makes of them; two jobs services stay, as they share the
 * queue, its bounds and its deadlines.
 */
export function ownShape(env: Env): ServerShape {
  return { gateways: 1, workers: workersOf(env, 1), logs: false };
}

/** Who says how many jobs run at once means all of Heddle: one worker with so many. */
function workersOf(env: Env, workers: number): number {
  if (env['HEDDLE_WORKERS'] !== undefined) return Number(env['HEDDLE_WORKERS']);
  return topology === 'cluster' ? workers : 1;
}

export async function startServer(env: Env, shape: ServerShape): Promise<ServerUnderTest> {
  return await (topology === 'cluster' ? startCluster(env, shape) : startSingle(env));
}

async function startSingle(
  env: Env,
  before?: { readonly dataDir: string; readonly port: number; stop(): Promise<void> },
): Promise<ServerUnderTest> {
  const started = await startStandalone({ env, ...(before && { dataDir: before.dataDir, port: before.port }) });
  // The folder belongs to the first start, which removes it: the last `stop` has to end both.
  const stop = async (): Promise<void> => void (await started.stop(), await before?.stop());
  const { dataDir } = started;
  return {
    ...started,
    gatewayEnv: null,
    stop,
    databaseUrl: async () => await embeddedDatabaseUrl(dataDir),
    storedFiles: async () => await dataFiles(dataDir),
    again: async (changed) => await startSingle(changed, { dataDir, port: started.port, stop }),
  };
}

export async function startCluster(env: Env, shape: ServerShape): Promise<ServerUnderTest> {
  const { newPlace, startTestCluster } = await import('@heddle/testing-cluster');
  const servers = serversOfTheRun();
  const place = await newPlace(servers);
  const start = async (changed: Env, port?: number): Promise<ServerUnderTest> => {
    return underTest(
      await startTestCluster(place, { env: changed, ...replicasFor(changed, shape), ...(port && { port }) }),
    );
  };
  const underTest = (cluster: TestCluster): ServerUnderTest => ({
    url: cluster.url,
    opsUrl: cluster.opsUrl,
    port: cluster.port,
    gatewayEnv: gatewayOf(cluster)?.plan.env ?? null,
    pid: gatewayOf(cluster)?.pid ?? 0,
    dataDir: place.dataDir,
    databaseUrl: () => Promise.resolve(place.ownerUrl),
    storedFiles: async () => await dataFiles(join(servers.objectsDir, place.bucket)),
    stderr: () => cluster.logs(),
    terminate: async () => [...(await cluster.stop()).values()].find((code) => code !== 0) ?? 0,
    kill9: async () => await cluster.kill(),
    again: async (changed) => await start(changed, cluster.port),
    stop: async () => {
      const crashes = cluster.crashes();
      const log = crashes.length === 0 ? '' : cluster.logs().slice(-4_000);
      await cluster.kill();
      await place.remove();
      if (crashes.length > 0) throw new Error(`services must not end by themselves:\n${crashes.join('\n')}\n${log}`);
    },
  });
  return await start(env).catch(async (error: unknown) => {
    await place.remove();
    throw error;
  });
}

const gatewayOf = ({ processes }: TestCluster): TestCluster['processes'][number] | undefined =>
  processes.find(({ plan }) => plan.service === 'gateway');

function replicasFor(
  env: Env,
  { gateways, workers, logs }: ServerShape,
): Pick<TestClusterOptions, 'replicas' | 'without'> {
  const worker = env['HEDDLE_WORKERS'] === undefined ? workers : 1;
  return {
    replicas: `gateway=${gateways},jobs=2,worker=${Math.max(1, worker)}`,
    without: [...(workers === 0 ? (['worker'] as const) : []), ...(logs ? [] : (['logs'] as const))],
  };
}

function serversOfTheRun(): ServerAddresses {
  const servers = JSON.parse(process.env['HEDDLE_TEST_SERVERS'] ?? 'null') as ServerAddresses | null;
  if (servers === null)
    throw new Error('the servers of clusters are started by cluster-servers.ts, and it did not run');
  return servers;
}
