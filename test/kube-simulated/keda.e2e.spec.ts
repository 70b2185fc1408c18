import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, furtherTools, ROOT } from '../charts/charts.ts';
import { RunningPrometheus } from '../../tools/charts/prometheus/running-prometheus.ts';
import { NAMESPACE } from '../../tools/kube/cluster/heddle-values.ts';
import { chartPath } from '../../tools/kube/cluster/install-platform.ts';
import { startKeda } from '../../tools/kube/keda/start-keda.ts';
import { installKedaTools } from '../../tools/kube/kube-tools.ts';
import { startQueueExporter, type QueueExporter } from './queue-exporter.fixture.ts';
import { BUILD_MS, simulatedKube, type SimulatedKube } from './simulated-kube.fixture.ts';

const COOLDOWN_S = 10;
const MAX_WORKERS = 3;
const WORKERS = 'demo-heddle-worker';
const IN = ['-n', NAMESPACE];
const PATIENCE = { timeout: 120_000, interval: 200 };

/** In the order of the story: each step finds what the one before left. */
describe('workers of a deployment that a real KEDA scales', { timeout: 180_000 }, () => {
  let kube: SimulatedKube;
  let keda: { stop(): Promise<void> };
  let exporter: QueueExporter;
  let prometheus: RunningPrometheus;
  beforeAll(async () => {
    const tools = await installKedaTools(join(ROOT, '.cache'), (line) => void process.stderr.write(`${line}\n`));
    const { prometheus: program } = await furtherTools();
    kube = await simulatedKube();
    keda = await startKeda(tools, kube);
    exporter = await startQueueExporter('demo');
    const pods = { 'heddle-jobs-0': exporter.url };
    prometheus = await RunningPrometheus.start({ program, pods, intervalS: 1, rules: { groups: [] } });
    await prometheus.until('heddle_deployment_waiting{deployment="demo"}');
    const values = join(chartPath('heddle-deployment'), 'ci/builtin-values.yaml');
    const scaling = [
      `mode=keda,min=0,max=${MAX_WORKERS},pollingSeconds=2,cooldownSeconds=${COOLDOWN_S}`,
      `prometheusAddress=${prometheus.url}`,
    ]
      .join()
      .split(',')
      .map((one) => `workers.autoscaling.${one}`);
    const set = ['--set', ['workers.slots=1', ...scaling].join()];
    await kube.helm.run('install', 'demo', chartPath('heddle-deployment'), '--values', values, ...set);
  }, BUILD_MS);
  afterAll(async () => {
    await keda?.stop();
    await kube?.remove();
    await prometheus?.stop();
    await exporter?.stop();
  }, 120_000);

  const workers = async (): Promise<unknown> =>
    at(await kube.kubectl.get('deployment', WORKERS, ...IN), 'spec.replicas');
  const running = async (): Promise<number> =>
    (await kube.kubectl.list('pods', ...IN, '-l', 'heddle.dev/deployment=demo')).length;

  it('are none while nothing waits', async () => {
    await expect.poll(running, PATIENCE).toBe(0);
    expect(await workers()).toBe(0);
  });

  it('are as many as jobs wait, up to the maximum', async () => {
    exporter.queue.waiting = 5;
    const waitsSince = performance.now();
    const seconds = (): string => ((performance.now() - waitsSince) / 1_000).toFixed(1);
    await expect.poll(running, PATIENCE).toBeGreaterThan(0);
    const first = seconds();
    await expect.poll(running, PATIENCE).toBe(MAX_WORKERS);
    process.stdout.write(`first pod after ${first} s, ${MAX_WORKERS} after ${seconds()} s\n`);
    const autoscaler = await kube.kubectl.get('hpa', `keda-hpa-${WORKERS}`, ...IN);
    expect(at(autoscaler, 'spec.maxReplicas')).toBe(MAX_WORKERS);
    expect(at(autoscaler, 'spec.metrics.0.external.target')).toEqual({ type: 'AverageValue', averageValue: '1' });
  });

  it('stay while they run jobs, also when nothing waits', async () => {
    exporter.queue.waiting = 0;
    exporter.queue.leased = MAX_WORKERS;
    // Proves that nothing happens: longer than the cooldown and a look of the autoscaler.
    await delay((COOLDOWN_S + 15) * 1_000);
    expect(await running()).toBe(MAX_WORKERS);
  });

  it('are none again after the cooldown', async () => {
    exporter.queue.leased = 0;
    const idleSince = performance.now();
    await expect.poll(running, PATIENCE).toBe(0);
    expect(await workers()).toBe(0);
    process.stdout.write(`no pod after ${((performance.now() - idleSince) / 1_000).toFixed(1)} s without jobs\n`);
    expect(performance.now() - idleSince).toBeGreaterThan((COOLDOWN_S - 3) * 1_000);
  });
});
