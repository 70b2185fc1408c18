import { newPlace, startServers, startTestCluster } from '@heddle/testing-cluster';
import type { SharedServers, TestCluster } from '@heddle/testing-cluster';
import { childPids } from '../process-cpu.ts';
import { RAISED } from '../servers.ts';

export type ServiceName = TestCluster['processes'][number]['plan']['service'];

/** Every service as a separate process, over its own broker, durable database and S3 server */
export interface BenchCluster {
  readonly servers: SharedServers;
  readonly cluster: TestCluster;
  /** API ports of the gateways */
  readonly gatewayPorts: readonly number[];
  pidsOf(service: ServiceName): readonly number[];
  readonly databasePid: number;
  readonly brokerPid: number;
  readonly s3Pid: number;
  /** Stops the real workers, so that the measurement controls the jobs. Resolves with a worker's environment. */
  withoutWorkers(): Promise<Readonly<Record<string, string>>>;
}

/** Runs `measure` on its own servers, and removes them afterwards. */
export async function withServers<T>(measure: (servers: SharedServers) => Promise<T>): Promise<T> {
  const servers = await startServers({ ownPostgres: true });
  try {
    return await measure(servers);
  } finally {
    await servers.stop();
  }
}

/** Runs `measure` on a cluster with its own database, topics and bucket. */
export async function withCluster<T>(
  servers: SharedServers,
  replicas: string,
  measure: (running: BenchCluster) => Promise<T>,
): Promise<T> {
  const place = await newPlace(servers);
  try {
    const cluster = await startTestCluster(place, { replicas, env: RAISED });
    try {
      return await measure(benchCluster(servers, cluster));
    } finally {
      await cluster.stop();
    }
  } finally {
    await place.remove();
  }
}

export function benchCluster(servers: SharedServers, cluster: TestCluster): BenchCluster {
  const of = (service: ServiceName) => cluster.processes.filter(({ plan }) => plan.service === service);
  return {
    servers,
    cluster,
    gatewayPorts: of('gateway').flatMap(({ plan }) => plan.apiPort ?? []),
    pidsOf: (service) => of(service).flatMap(({ pid }) => pid ?? []),
    databasePid: servers.postgres?.server.running()?.pid ?? missing('database server'),
    brokerPid: childOf('java'),
    s3Pid: childOf('versitygw'),
    withoutWorkers: async () => {
      const workers = of('worker');
      await Promise.all(workers.map((worker) => worker.stop()));
      return workers[0]?.plan.env ?? missing('worker');
    },
  };
}

function childOf(name: string): number {
  return childPids(process.pid).find((child) => child.name === name)?.pid ?? missing(name);
}

function missing(what: string): never {
  throw new Error(`the cluster has no ${what} of its own`);
}
