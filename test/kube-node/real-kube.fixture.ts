// A cluster with a real node for a spec file. One machine has room for one of them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastingPort, removeEmbeddedData } from '@heddle/platform-database';
import { installRelease } from '../../tools/kube/cluster/install-platform.ts';
import { nodeValues } from '../../tools/kube/cluster/node-values.ts';
import { NAMESPACE, PLATFORM_RELEASE } from '../../tools/kube/cluster/heddle-values.ts';
import type { ReleaseSurface } from '../../tools/kube/cluster/release-secrets.ts';
import type { ClusterObject } from '../../tools/kube/control-plane/kubectl.ts';
import { kubePlaces } from '../../tools/kube/kube-places.ts';
import { missing, NODE_PREREQUISITES } from '../../tools/kube/prerequisites.ts';
import { startRealCluster, type RealCluster } from '../../tools/kube/start-real-cluster.ts';
import type { KubePlan } from '../../tools/kube/start-simulated-kube.ts';
import { ROOT } from '../charts/charts.ts';

/** With an empty cache the tools are built first. */
export const BUILD_MS = 2_700_000;
export const IN = ['-n', NAMESPACE];

/** What the specs add to the values of the development cluster: room for their load, and a node that sleeps. */
const ROOM = {
  limits: { queueDepthAccount: 5_000 },
  settings: { HEDDLE_TEST_NODES: '1', HEDDLE_READ_RATE: 1_000 },
};

export interface NodeKube extends RealCluster {
  readonly plan: KubePlan;
  /** A port at which `openApi` may open the API. */
  readonly apiPort: number;
  /** Installs the chart of the checkout, or upgrades to it; resolves with the seconds until its pods were ready. */
  install(tag: string, more?: object): Promise<number>;
  valuesOf(tag: string, more?: object): object;
  /** Path of a file with these values. */
  valuesFile(tag: string, more?: object): Promise<string>;
  /** Pods of a component that are not being stopped. */
  pods(component: string, release?: string): Promise<readonly ClusterObject[]>;
  /** Stops it and removes every trace. */
  remove(): Promise<void>;
}

/** `databaseFolder`: for the data of PostgreSQL, instead of one below the folder of the cluster. */
export async function nodeKube(surface: ReleaseSurface = 'managed', databaseFolder?: string): Promise<NodeKube> {
  const lacks = await missing(NODE_PREREQUISITES);
  if (lacks.length > 0) throw new Error(`this machine lacks ${lacks.join(' and ')}`);
  const root = await mkdtemp(join(tmpdir(), 'heddle-kube-'));
  const removed = async (): Promise<void> => {
    removeEmbeddedData(databaseFolder ?? kubePlaces(root).database);
    await rm(root, { recursive: true, force: true });
  };
  const plan = {
    cacheDir: join(ROOT, '.cache'),
    root,
    say: tell,
    ...(databaseFolder !== undefined && { databaseFolder }),
  };
  const cluster = await startRealCluster(plan, surface).catch(async (error: unknown) => {
    await removed();
    throw error;
  });
  const valuesOf = (tag: string, more = {}): object => ({ ...nodeValues(tag, cluster.servers), ...ROOM, ...more });
  return {
    ...cluster,
    plan,
    valuesOf,
    apiPort: await lastingPort(),
    valuesFile: async (tag, more) => {
      const file = join(root, 'values.json');
      await writeFile(file, JSON.stringify(valuesOf(tag, more)));
      return file;
    },
    install: async (tag, more) => {
      const release = { release: PLATFORM_RELEASE, chart: 'heddle', folder: cluster.places.configs } as const;
      return await installRelease(cluster.helm, { ...release, values: valuesOf(tag, more) });
    },
    pods: async (component, release = PLATFORM_RELEASE) => {
      const selector = ['-l', `app.kubernetes.io/instance=${release},app.kubernetes.io/component=${component}`];
      const pods = await cluster.kubectl.list('pods', ...IN, ...selector);
      return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    },
    remove: async () => {
      await cluster.stop();
      await removed();
    },
  };
}

/** A figure of the run: these specs are read, too. */
export const tell = (line: string): boolean => process.stdout.write(`${line}\n`);
