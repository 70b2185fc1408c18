import { codeOf, HeddleClient, jsonOf, sleepingGraph, textGraph, type Answer, type Job } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHeddleImage } from '../../tools/images/make-heddle-image.ts';
import { installDemo } from '../../tools/kube/cluster/install-demo.ts';
import { autoscalingOf, startScaling, type Scaling } from '../../tools/kube/cluster/start-scaling.ts';
import { ROOT } from '../charts/charts.ts';
import { DemoClient } from './demo-client.fixture.ts';
import { isReady } from './pod-states.fixture.ts';
import { BUILD_MS, IN, nodeKube, tell, type NodeKube } from './real-kube.fixture.ts';

const STEP_MS = 300_000;
const MAX_COLD_START_MS = 15_000;
/** Longer than the interval in which an autoscaler looks; the last one outlives the others. */
const LASTING_S = [30, 30, 30, 30, 75];
const PATIENCE = { timeout: 180_000, interval: 500 };

/** In the order of the story: each step finds what the one before left. */
describe('workers in pods that KEDA scales', { timeout: STEP_MS }, () => {
  let kube: NodeKube;
  let scaling: Scaling;
  let demo: DemoClient;
  beforeAll(async () => {
    kube = await nodeKube();
    const image = await makeHeddleImage(ROOT);
    const digest = await kube.images.import(image);
    await kube.install(image.tag);
    scaling = await startScaling(kube, kube.plan);
    await installDemo(kube, digest, { autoscaling: autoscalingOf(scaling), settings: { HEDDLE_TEST_NODES: '1' } });
    const url = await kube.openApi(kube.apiPort);
    demo = DemoClient.of(kube, await HeddleClient.connect(url, { token: kube.keys.apiKey }));
  }, BUILD_MS);
  afterAll(async () => {
    await scaling?.stop();
    await kube?.remove();
  }, STEP_MS);

  const workers = async (): Promise<number> => {
    const pods = await kube.kubectl.list('pods', ...IN, '-l', 'heddle.dev/deployment=demo');
    return pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && isReady(pod)).length;
  };

  it('show their engine first, and are none while nothing waits', async () => {
    const ready = async (): Promise<number> => (await demo.submit(textGraph())).status;
    await expect.poll(ready, PATIENCE).toBe(201);
    await expect.poll(workers, PATIENCE).toBe(0);
  });

  it('start for a job that waits, soon enough', async () => {
    const startedAt = performance.now();
    const id = await demo.submitted(textGraph());
    await expect.poll(async () => await demo.statusOf(id), PATIENCE).toBe('succeeded');
    const tookMs = performance.now() - startedAt;
    tell(`from no worker to the end of a job: ${(tookMs / 1_000).toFixed(1)} s`);
    expect(tookMs).toBeLessThan(MAX_COLD_START_MS);
  });

  it('start for a submission that is refused, once the deployment has rested', async () => {
    await expect.poll(workers, PATIENCE).toBe(0);
    const submit = async (): Promise<Answer> => await demo.submit(textGraph());
    const unavailable = 'heddle_deployment_status{deployment="demo",status="unavailable"} == 1';
    const rests = async (): Promise<number> => (await scaling.prometheus.query(unavailable)).length;
    await expect.poll(rests, PATIENCE).toBeGreaterThan(0);
    const startedAt = performance.now();
    const refused = await submit();
    expect([refused.status, codeOf(refused)]).toEqual([429, 'deployment_unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    let taken = refused;
    await expect.poll(async () => (taken = await submit()).status, PATIENCE).toBe(201);
    const { id } = jsonOf<Job>(taken);
    await expect.poll(async () => await demo.statusOf(id), PATIENCE).toBe('succeeded');
    tell(`from the first refusal to the end of a job: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  });

  it('are more while more jobs wait, and cut no job when they are fewer', async () => {
    const jobs = await Promise.all(LASTING_S.map(async (seconds) => await demo.submitted(sleepingGraph(seconds))));
    await expect.poll(workers, PATIENCE).toBeGreaterThan(1);
    tell(`workers for ${jobs.length} jobs: ${await workers()}`);
    for (const id of jobs) await expect.poll(async () => await demo.statusOf(id), PATIENCE).toBe('succeeded');
    await expect.poll(workers, PATIENCE).toBe(0);
    const lost = await scaling.prometheus.query('sum(heddle_leases_expired_total) or vector(0)');
    expect(lost[0]?.value[1]).toBe('0');
  });
});
