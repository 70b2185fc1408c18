import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HeddleClient } from '@heddle/testing-api';
import { freshSeed as seed } from '@heddle/testing-seed';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartPath } from '../../tools/kube/cluster/install-platform.ts';
import { CAMPAIGN_SETTINGS } from '../chaos/campaign/cluster-under-fire.ts';
import { thisBuild } from '../upgrade/builds.ts';
import { judge } from '../upgrade/judge.ts';
import { LoadAtWork } from '../upgrade/load-at-work.ts';
import { isReady } from './pod-states.fixture.ts';
import { BUILD_MS, IN, nodeKube, tell, type NodeKube } from './real-kube.fixture.ts';
import { importBoth, PREVIOUS_CHART, type Tags } from './two-releases.fixture.ts';

const STEP_MS = 600_000;
const TOGETHER_MS = 60_000;
const COMPONENTS = ['gateway', 'validation', 'assets', 'jobs', 'logs', 'registry', 'worker'];
/** Jobs that must end under each state of the release. */
const JOBS = 5;
/** Seconds for which a new pod must be ready before an old one goes. With the first, a rollout waits after one pod. */
const [WAITING, USUAL] = [590, 5];

/** The suite of two versions of plain processes (test/upgrade), in pods. In the order of the story. */
describe(`pods of two builds side by side (seed ${seed})`, { timeout: STEP_MS }, () => {
  let kube: NodeKube;
  let owner: pg.Pool;
  let tags: Tags;
  let url: string;
  let load: LoadAtWork | undefined;
  beforeAll(async () => {
    kube = await nodeKube('self-hosted');
    owner = new pg.Pool({ connectionString: kube.servers.ownerUrl, max: 4 });
    owner.on('error', () => undefined);
    tags = await importBoth(kube);
  }, BUILD_MS);
  afterAll(async () => {
    await load?.end();
    await owner?.end();
    await kube?.remove();
  }, STEP_MS);

  /** Ready pods by their component and image. */
  const builds = async (): Promise<Record<string, readonly string[]>> =>
    Object.fromEntries(
      await Promise.all(
        COMPONENTS.map(async (component) => {
          const pods = (await kube.pods(component)).filter(isReady);
          const found = new Set(pods.map(({ spec }) => imageOf(spec)));
          return [component, [...found].sort()] as const;
        }),
      ),
    );
  const all = (...of: readonly string[]): Record<string, readonly string[]> =>
    Object.fromEntries(COMPONENTS.map((component) => [component, of.toSorted()]));
  const waitInRollouts = async (seconds: number): Promise<void> => {
    const patch = JSON.stringify({ spec: { minReadySeconds: seconds } });
    const names = COMPONENTS.map((component) => `deployment/heddle-${component}`);
    for (const name of names) await kube.kubectl.run('patch', name, ...IN, '--patch', patch);
  };

  it('begins with the previous build', async () => {
    const file = await kube.valuesFile(tags.previous, selfHosted(kube));
    await kube.helm.run('install', 'heddle', PREVIOUS_CHART, '--values', file, '--wait', '--timeout', '8m');
    url = await kube.openApi(kube.apiPort);
    await HeddleClient.connect(url, { token: kube.keys.staticToken });
    load = new LoadAtWork({ origin: url, token: kube.keys.staticToken }, owner);
    await load.isServed(JOBS, 'the previous build');
    expect(await builds()).toEqual(all(tags.previous));
  });

  it('runs a pod of each build in every component for a minute', async () => {
    const file = await kube.valuesFile(tags.current, selfHosted(kube));
    await kube.helm.run('upgrade', 'heddle', chartPath('heddle'), '--values', file);
    await waitInRollouts(WAITING);
    await expect.poll(builds, { timeout: 120_000, interval: 1_000 }).toEqual(all(tags.previous, tags.current));
    const until = performance.now() + TOGETHER_MS;
    await load!.isServed(JOBS, 'both builds');
    await delay(Math.max(0, until - performance.now()));
    expect(await builds()).toEqual(all(tags.previous, tags.current));
    await load!.isServed(JOBS, 'both builds after a minute');
  });

  it('goes on to this build', async () => {
    await waitInRollouts(USUAL);
    await expect.poll(builds, { timeout: 180_000, interval: 1_000 }).toEqual(all(tags.current));
    await load!.isServed(JOBS, 'this build');
  });

  it('has lost nothing and done nothing twice', async () => {
    await load!.end();
    const { servers, places, keys } = kube;
    const objectsFolder = join(places.servers, 's3/objects', servers.s3.bucket, 'b');
    const place = { owner, ownerUrl: servers.ownerUrl, url, objectsFolder, servers, token: keys.staticToken };
    const { settlement, broken, jobs } = await judge(place, load!, thisBuild);
    const { acknowledged, found, unanswered, lost, doubled } = settlement;
    tell(
      `${jobs} jobs under two builds: acknowledged ${acknowledged}, found ${found}, lost ${lost.length}, ` +
        `doubled ${doubled.length} (${unanswered} unanswered, settled since)`,
    );
    expect(broken).toEqual([]);
    expect(found).toBe(acknowledged);
    expect(acknowledged).toBeGreaterThanOrEqual(JOBS * 4);
  });
});

/** As the campaign of plain processes: a token for everything, small leases, and limits that no client reaches. */
function selfHosted(kube: NodeKube): object {
  const { HEDDLE_PORT: _, HEDDLE_KAFKA_PARTITIONS: __, HEDDLE_QUEUE_DEPTH_ACCOUNT: ___, ...rest } = CAMPAIGN_SETTINGS;
  const { HEDDLE_LOG_LEVEL: ____, ...settings } = rest;
  const { workers } = kube.valuesOf('') as { readonly workers: object };
  return {
    surface: 'self-hosted',
    hosts: { api: 'localhost' },
    settings,
    workers: { ...workers, replicas: 2, slots: 2, engineMemoryMb: 256 },
  };
}

const imageOf = (spec: unknown): string =>
  (spec as { containers: readonly { image: string }[] }).containers[0]?.image.split(':').at(-1) ?? '';
