import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlainProgress, readDeployments, readReplicas, startCluster } from '@heddle/app-cluster';
import type { Infrastructure, Replicas, RunningCluster, ServiceName } from '@heddle/app-cluster';
import { readSettings } from '@heddle/composition';
import type { ClusterPlace } from './cluster-place.js';

export interface TestClusterOptions {
  /** Settings by their environment names, for every service. */
  readonly env?: Readonly<Record<string, string>>;
  /** e.g. `jobs=2,gateway=2`; by default two of each service that may have several. */
  readonly replicas?: string;
  /** Services that are not started. */
  readonly without?: readonly ServiceName[];
  /** e.g. `alpha=1`; by default none. */
  readonly deployments?: string;
  /** Port of the API; default: a free port. */
  readonly port?: number;
}

/** Every service of Heddle as real processes on real servers. Its place stays when it stops. */
export interface TestCluster extends RunningCluster {
  readonly place: ClusterPlace;
  readonly port: number;
  /** Of the first gateway. */
  readonly opsUrl: string;
  /** Processes that ended unexpectedly, and how, one line each. */
  crashes(): readonly string[];
  /** Everything that the processes have logged in this place, in this and earlier runs. */
  logs(): string;
}

const TWO_OF_EACH = 'gateway=2,jobs=2,worker=2';
/** Services load megabytes of code at start; keep the compiled form. */
const COMPILED = resolve(fileURLToPath(import.meta.url), '../../../../../node_modules/.cache/heddle/compiled');

/** Starts the services on a place that may have been used before. */
export async function startTestCluster(place: ClusterPlace, options: TestClusterOptions = {}): Promise<TestCluster> {
  const env = {
    ...inherited(),
    NODE_COMPILE_CACHE: COMPILED,
    HEDDLE_PORT: String(options.port ?? 0),
    HEDDLE_DATA: place.dataDir,
    HEDDLE_KAFKA_PREFIX: place.topicPrefix,
    HEDDLE_KAFKA_PARTITIONS: '2',
    ...options.env,
  };
  const told: string[] = [];
  const cluster = await startCluster({
    settings: readSettings(env),
    env,
    replicas: { ...readReplicas(options.replicas ?? TWO_OF_EACH), ...noneOf(options.without ?? []) },
    deployments: options.deployments === undefined ? [] : readDeployments(options.deployments),
    brokers: 1,
    dataDir: place.dataDir,
    cacheDir: '',
    infrastructure: infrastructureOf(place),
    progress: new PlainProgress((line) => void told.push(line)),
  });
  const opsPort = cluster.processes.find(({ plan }) => plan.service === 'gateway')?.plan.opsPort;
  return {
    ...cluster,
    place,
    port: Number(new URL(cluster.url).port),
    opsUrl: `http://127.0.0.1:${opsPort}`,
    crashes: () => told.filter((line) => line.includes(' is started again')),
    logs: () => {
      const folder = join(place.dataDir, 'logs');
      return readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('');
    },
  };
}

function noneOf(services: readonly ServiceName[]): Partial<Replicas> {
  return Object.fromEntries(services.map((service) => [service, 0]));
}

/** The machine's own environment, without settings for another Heddle. */
function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('HEDDLE_'),
  );
  return Object.fromEntries(entries);
}

function infrastructureOf({ servers, databaseUrls, bucket }: ClusterPlace): Infrastructure {
  return {
    databaseUrls,
    brokers: servers.brokers,
    s3: { ...servers.s3, bucket },
  };
}
