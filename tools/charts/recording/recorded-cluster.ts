// A cluster of plain processes with a Prometheus that scrapes all of them, by the rules of the chart.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_KEY, drawCredential } from '@heddle/platform-credentials';
import { newPlace, startServers, startTestCluster } from '@heddle/testing-cluster';
import type { TestCluster } from '@heddle/testing-cluster';
import { parse } from 'yaml';
import { installFurtherChartTools } from '../chart-tools.ts';
import { RunningPrometheus } from '../prometheus/running-prometheus.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RULES = join(ROOT, 'charts/heddle/files/rules.yaml');
const HOST = 'run.test';

export const DEPLOYMENT = 'alpha';
export const SCRAPE_INTERVAL_S = 3;
/** Waiting jobs of the account: the burst of the load is larger. */
export const QUEUE_DEPTH = 40;

export interface RecordedCluster {
  readonly cluster: TestCluster;
  readonly prometheus: RunningPrometheus;
  /** API key of the account that works on it. */
  readonly key: string;
  /** Host of the dedicated deployment. */
  readonly host: string;
  stop(): Promise<void>;
}

export async function startRecordedCluster(say: (line: string) => void): Promise<RecordedCluster> {
  const { prometheus: program } = await installFurtherChartTools(join(ROOT, '.cache'), say);
  const rules = parse(await readFile(RULES, 'utf8')) as object;
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    say('starting PostgreSQL, Kafka and the S3 server');
    const servers = await startServers({ ownPostgres: true });
    ends.push(() => servers.stop());
    const place = await newPlace(servers);
    ends.push(() => place.remove());
    say('starting the cluster');
    const { key } = drawCredential(API_KEY, () => randomBytes(32));
    const cluster = await startTestCluster(place, {
      env: {
        HEDDLE_SURFACE: 'managed',
        HEDDLE_BOOTSTRAP_KEY: key,
        HEDDLE_DEPLOYMENT_HOST: HOST,
        HEDDLE_TEST_NODES: '1',
        HEDDLE_LEASE_S: '10',
        HEDDLE_QUEUE_DEPTH_ACCOUNT: String(QUEUE_DEPTH),
      },
      replicas: 'gateway=2,jobs=2,worker=2',
      deployments: `${DEPLOYMENT}=1`,
    });
    ends.push(() => cluster.stop());
    const pods = Object.fromEntries(
      cluster.processes.map(({ plan }) => [plan.name, `http://127.0.0.1:${plan.opsPort}`]),
    );
    const prometheus = await RunningPrometheus.start({ program, pods, intervalS: SCRAPE_INTERVAL_S, rules });
    ends.push(() => prometheus.stop());
    await prometheus.until(`count(heddle_build_info) == ${Object.keys(pods).length}`);
    return { cluster, prometheus, key, host: `${DEPLOYMENT}.${HOST}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
