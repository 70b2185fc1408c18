import { setTimeout as delay } from 'node:timers/promises';
import { HeddleClient, sleepingGraph, textGraph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_NAME } from '../../tools/kube/node/node-addresses.ts';
import { installDemo } from '../../tools/kube/cluster/install-demo.ts';
import { makeHeddleImage, type HeddleImage } from '../../tools/images/make-heddle-image.ts';
import type { ClusterObject } from '../../tools/kube/control-plane/kubectl.ts';
import { at, ROOT } from '../charts/charts.ts';
import { DemoClient } from './demo-client.fixture.ts';
import { killPod, outcomesFrom } from './pod-processes.fixture.ts';
import type { Outcome } from './pod-network.fixture.ts';
import { isReady, readyAfterS, restartsOf } from './pod-states.fixture.ts';
import { BUILD_MS, IN, nodeKube, tell, type NodeKube } from './real-kube.fixture.ts';

const STEP_MS = 300_000;
const MAX_INSTALL_S = 60;
const MAX_REQUESTS_MI = 1_024;
const CALLED = ['gateway', 'validation', 'assets', 'jobs', 'logs', 'registry'];

/** In the order of the story: each step finds what the one before left. */
describe('a release on a real node', { timeout: STEP_MS }, () => {
  let kube: NodeKube;
  let image: HeddleImage;
  let digest: string;
  let client: HeddleClient;
  beforeAll(async () => {
    kube = await nodeKube();
    image = await makeHeddleImage(ROOT);
    digest = await kube.images.import(image);
  }, BUILD_MS);
  afterAll(async () => {
    await kube?.remove();
  }, STEP_MS);

  it('is ready within a minute', async () => {
    const tookS = await kube.install(image.tag);
    tell(`install: ${tookS.toFixed(1)} s; image: ${(image.bytes / 1e6).toFixed()} MB unpacked`);
    expect(tookS).toBeLessThan(MAX_INSTALL_S);
    client = await HeddleClient.connect(await kube.openApi(kube.apiPort), {
      token: kube.keys.apiKey,
      signedUrls: true,
    });
  });

  it('has pods that no probe has restarted, and asks for little memory', async () => {
    let sumMi = 0;
    for (const component of [...CALLED, 'worker']) {
      const pods = await kube.pods(component);
      expect(pods.length, component).toBeGreaterThan(0);
      for (const pod of pods) expect(restartsOf(pod), pod.metadata.name).toBe(0);
      const request = String(at(pods[0], 'spec.containers.0.resources.requests.memory'));
      expect(request).toMatch(/^\d+Mi$/);
      sumMi += parseInt(request, 10);
      tell(`${component}: ready after ${pods.map(readyAfterS).join(' and ')} s, asks for ${request}`);
    }
    tell(`one replica of each: ${sumMi} MiB`);
    expect(sumMi).toBeLessThanOrEqual(MAX_REQUESTS_MI);
  });

  it('runs a job in its own test, which shows what it printed', async () => {
    const said = await kube.helm.run('test', 'heddle', '--logs');
    expect(said).toMatch(/Phase:\s+Succeeded/);
    expect(said).toContain(': succeeded');
  });

  it('serves a dedicated deployment at its own host', async () => {
    tell(`demo: ready after ${(await installDemo(kube, digest)).toFixed(1)} s`);
    const demo = DemoClient.of(kube, client);
    const id = await demo.submitted(textGraph());
    await expect.poll(async () => await demo.statusOf(id)).toBe('succeeded');
  });

  it('lets its pods reach what they need, and nothing else', async () => {
    const { hostname: database, port } = new URL(kube.servers.ownerUrl);
    const [broker, brokerPort] = kube.servers.brokers[0]!.split(':') as [string, string];
    const outcomes = async (component: string): Promise<readonly Outcome[]> => {
      const [pod] = await kube.pods(component);
      const [gateway] = await kube.pods('gateway');
      return await outcomesFrom(pod!.metadata.uid, [
        [database, Number(port)],
        [broker, Number(brokerPort)],
        [String(gateway!.status?.['podIP']), 8189],
      ]);
    };
    expect(await outcomes('jobs')).toEqual(['open', 'open', 'timeout']);
    expect(await outcomes('worker')).toEqual(['timeout', 'timeout', 'timeout']);
  });

  it('has a pod that starts alone ready within seconds', async () => {
    for (const component of CALLED) {
      const [victim] = await kube.pods(component);
      const before = new Set((await kube.pods(component)).map(({ metadata }) => metadata.uid));
      await kube.kubectl.run('delete', 'pod', victim!.metadata.name, ...IN, '--wait=false');
      const fresh = async (): Promise<ClusterObject | undefined> =>
        (await kube.pods(component)).find((pod) => !before.has(pod.metadata.uid) && isReady(pod));
      await expect.poll(fresh, { timeout: 60_000 }).toBeDefined();
      tell(`${component} alone: ready ${readyAfterS((await fresh())!)} s after its start`);
    }
  });

  it.each([
    ...[...CALLED, 'worker'].map((component) => ({ release: 'heddle', component, name: `heddle-${component}` })),
    { release: 'demo', component: 'worker', name: 'demo-heddle-worker' },
  ])('loses nothing when a pod of $name is killed', async ({ release, component, name }) => {
    const jobs = await Promise.all(Array.from({ length: 6 }, async () => await client.submitted(sleepingGraph(1))));
    const pods = async (): Promise<readonly ClusterObject[]> => await kube.pods(component, release);
    const [victim] = await pods();
    const before = restartsOf(victim!);
    expect(killPod(victim!.metadata.uid)).toBeGreaterThan(0);
    const restarts = async (): Promise<number> =>
      restartsOf((await pods()).find(({ metadata }) => metadata.uid === victim!.metadata.uid)!);
    await expect.poll(restarts, { timeout: 60_000 }).toBe(before + 1);
    await kube.kubectl.run('rollout', 'status', `deployment/${name}`, ...IN, '--timeout=120s');
    for (const { id } of jobs) expect((await reached(id)).status).toBe('succeeded');
  });

  it('keeps one pod of each service when its node is drained, and comes back', async () => {
    const job = await client.submitted(sleepingGraph(5));
    const drained = await kube.kubectl.ending([
      ...['drain', NODE_NAME, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=20s'],
      // Workers have no budget, and one that is evicted ends its job first.
      '--pod-selector=app.kubernetes.io/component!=worker',
    ]);
    // There is no other node: a second pod may go only when its replacement is ready.
    expect(drained.code).not.toBe(0);
    for (const component of ['gateway', 'assets', 'jobs'])
      expect((await kube.pods(component)).filter(isReady).length, component).toBe(1);
    expect((await reached(job.id)).status).toBe('succeeded');
    await kube.kubectl.run('uncordon', NODE_NAME);
    for (const component of CALLED)
      await kube.kubectl.run('rollout', 'status', `deployment/heddle-${component}`, ...IN, '--timeout=120s');
    const { id } = await client.submitted(textGraph());
    await client.reached(id, 'succeeded');
  });

  it('takes jobs while it has no workers, and runs them when it has some again', async () => {
    const scale = async (count: number): Promise<unknown> =>
      await kube.kubectl.run('scale', 'deployment/heddle-worker', `--replicas=${count}`, ...IN);
    const busy = await client.submitted(sleepingGraph(10));
    await client.reached(busy.id, 'running');
    await scale(0);
    const waiting = await client.submitted(textGraph());
    expect((await reached(busy.id)).status).toBe('succeeded');
    await expect.poll(async () => (await kube.pods('worker')).length).toBe(0);
    await delay(2_000);
    expect((await client.jobNow(waiting.id)).status).toBe('queued');
    const startedAt = performance.now();
    await scale(1);
    await client.reached(waiting.id, 'succeeded');
    tell(`from no worker to the end of a job: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  });

  /** A gateway that was just killed cuts connections. */
  async function reached(id: string): Promise<{ readonly status: string }> {
    for (const until = performance.now() + STEP_MS; ; await delay(500)) {
      const now = await client.jobNow(id).catch(() => null);
      if (now !== null && ['succeeded', 'failed', 'canceled', 'expired'].includes(now.status)) return now;
      if (performance.now() > until)
        throw new Error(`the job ${id} has not ended; it is ${now?.status ?? 'not known'}`);
    }
  }
});
