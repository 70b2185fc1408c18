import { dataFiles } from '@heddle/testing-api';
import type { DataFile } from '@heddle/testing-api';
import type { ServerAddresses, TestCluster, TestClusterOptions } from '@heddle/testing-cluster';
import { startStandalone } from '@heddle/testing-standalone';
import { join } from 'node:path';
import { embeddedDatabaseUrl } from './database.js';
import { SURFACE_SETTINGS } from './surface.js';

type Env = Readonly<Record<string, string>>;

/** Settings of every server of the suite: test nodes, and poll limits above the pace of the tests. */
export const SUITE_SETTINGS = {
  ...SURFACE_SETTINGS,
  HEDDLE_TEST_NODES: '1',
  HEDDLE_READ_RATE: '1000',
  HEDDLE_READ_BURST: '2000',
  // Every spec of the registry makes publishers for the same account.
  HEDDLE_REGISTRY_PUBLISHERS: '1000',
  HEDDLE_LOG_LEVEL: 'info',
  // So that tests do not wait for their sleeping jobs at the end.
  HEDDLE_DRAIN_S: '0.2',
};

/** A Heddle that the suite started: standalone or cluster. */
export interface ServerUnderTest {
  readonly url: string;
  /** Of the registry: below the API, or the port of its process. */
  readonly registryUrl: string;
  /** Health port of a process that accepts requests. */
  readonly opsUrl: string;
  /** Environment of the gateway; null in standalone, which has no separate gateway. */
  readonly gatewayEnv: Env | null;
  readonly port: number;
  /** A process that accepts requests */
  readonly pid: number;
  readonly dataDir: string;
  /** Owner's URL of the database */
  databaseUrl(): Promise<string>;
  /** Every file with bytes of assets, finished or not */
  storedFiles(): Promise<DataFile[]>;
  /** The logs of all processes so far */
  stderr(): string;
  /** Sends SIGTERM. Resolves with the exit code, or the first non-zero code of several processes. The state stays. */
  terminate(): Promise<number | null>;
  /** Sends SIGKILL to every process at once. */
  kill9(): Promise<void>;
  /** Starts it again on the same port and state, with changed settings, after it has ended. */
  again(env: Env): Promise<ServerUnderTest>;
  /** Stops it, and removes its state. */
  stop(): Promise<void>;
}

/** cluster: separate processes on Kafka, S3 and PostgreSQL; otherwise one process with everything. */
export const topology = process.env['HEDDLE_TEST_TOPOLOGY'] === 'cluster' ? 'cluster' : 'standalone';

/** Number of processes in a cluster */
export interface ServerShape {
  readonly gateways: number;
  /** Jobs that run at once */
  readonly workers: number;
  /** True if logs of jobs are stored */
  readonly logs: boolean;
  readonly registry: boolean;
}

/** Two replicas of each service, so that requests, events and jobs reach processes that learn of them from others. */
export function sharedShape(env: Env): ServerShape {
  return { gateways: topology === 'cluster' ? 2 : 1, workers: workersOf(env, 2), logs: true, registry: true };
}

/**
 * Shape for blocks with their own settings, which test single processes. Two jobs services stay, because they share the
 * queue, its limits and its deadlines.
 */
export function ownShape(env: Env, registry: boolean): ServerShape {
  return { gateways: 1, workers: workersOf(env, 1), logs: false, registry };
}

/** HEDDLE_WORKERS is meant for all of Heddle: one worker with that many slots. */
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
  // The first start owns the folder and removes it, so the last `stop` ends both.
  const stop = async (): Promise<void> => void (await started.stop(), await before?.stop());
  const { dataDir } = started;
  return {
    ...started,
    registryUrl: `${started.url}/registry`,
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
    registryUrl: cluster.registryUrl ?? '',
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
  { gateways, workers, logs, registry }: ServerShape,
): Pick<TestClusterOptions, 'replicas' | 'without'> {
  const worker = env['HEDDLE_WORKERS'] === undefined ? workers : 1;
  const runs = { worker: workers > 0, logs, registry };
  return {
    replicas: `gateway=${gateways},jobs=2,worker=${Math.max(1, worker)}`,
    without: (['worker', 'logs', 'registry'] as const).filter((service) => !runs[service]),
  };
}

function serversOfTheRun(): ServerAddresses {
  const servers = JSON.parse(process.env['HEDDLE_TEST_SERVERS'] ?? 'null') as ServerAddresses | null;
  if (servers === null)
    throw new Error('the servers of clusters are started by cluster-servers.ts, and it did not run');
  return servers;
}
