import { setTimeout as delay } from 'node:timers/promises';
import { newPlace, startServers, startTestCluster } from '@heddle/testing-cluster';
import type { ClusterPlace, SharedServers, TestCluster } from '@heddle/testing-cluster';
import { HeddleClient, sleepingGraph, textGraph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, furtherTools, rendered } from '../charts/charts.ts';
import { RunningPrometheus } from '../../tools/charts/prometheus/running-prometheus.ts';
import { KEY_FOR_TESTS } from '../security/keyed-heddle.js';
import { ScaledWorkers } from './scaled-workers.fixture.ts';

const MAX_COLD_START_MS = 15_000;
const COOLDOWN_S = 10;
/** A pool without workers for less is not cold: they may come back after a cut connection. */
const RECONNECT_MS = 30_000;
/** Two workers of one slot each. */
const VALUES = [
  'workers.slots=1,workers.autoscaling.mode=keda,workers.autoscaling.min=0,workers.autoscaling.max=2',
  `workers.autoscaling.prometheusAddress=http://prometheus:9090,workers.autoscaling.cooldownSeconds=${COOLDOWN_S}`,
].join();
const SETTINGS = {
  HEDDLE_SURFACE: 'managed',
  HEDDLE_BOOTSTRAP_KEY: KEY_FOR_TESTS,
  HEDDLE_TEST_NODES: '1',
  HEDDLE_READ_RATE: '1000',
  HEDDLE_SLOTS: '1',
  // As in the pods of workers: a drain waits for the job that runs.
  HEDDLE_STOP_S: '90',
  HEDDLE_DRAIN_S: '80',
};
const START_MS = 300_000;

/** In the order of the story: each step finds what the one before left. */
describe('workers that follow the rendered ScaledObject', { timeout: 180_000 }, () => {
  let servers: SharedServers;
  let place: ClusterPlace;
  let cluster: TestCluster;
  let client: HeddleClient;
  let prometheus: RunningPrometheus;
  let scaled: ScaledWorkers;
  beforeAll(async () => {
    servers = await startServers({ ownPostgres: false });
    place = await newPlace(servers);
    cluster = await startTestCluster(place, { env: SETTINGS, replicas: 'gateway=1,jobs=2,worker=2' });
    client = await HeddleClient.connect(cluster.url, { token: KEY_FOR_TESTS });
    const of = (service: string) => cluster.processes.filter(({ plan }) => plan.service === service);
    await Promise.all(of('worker').map(async (worker) => await worker.stop()));
    const pods = Object.fromEntries(of('jobs').map(({ plan }) => [plan.name, `http://127.0.0.1:${plan.opsPort}`]));
    const { prometheus: program } = await furtherTools();
    prometheus = await RunningPrometheus.start({ program, pods, intervalS: 5, rules: { groups: [] } });
    const objects = await rendered('heddle', 'managed-values.yaml', ['--set', VALUES]);
    const spec = at(objects.find(({ kind }) => kind === 'ScaledObject')?.body, 'spec');
    scaled = new ScaledWorkers(spec, prometheus, of('worker'));
  }, START_MS);
  afterAll(async () => {
    await scaled?.stop();
    await prometheus?.stop();
    await cluster?.stop();
    await place?.remove();
    await servers?.stop();
  }, START_MS);

  const coldStarts = async (): Promise<number> => {
    const [sample] = await prometheus.query('sum(heddle_job_cold_start_seconds_count{deployment="managed"})');
    return Number(sample?.value[1] ?? 0);
  };

  it('are started for the first job, which runs within 15 seconds', async () => {
    await prometheus.until('heddle_deployment_waiting{deployment="managed"}');
    expect(scaled.count).toBe(0);
    const submittedAt = performance.now();
    const { id } = await client.submitted(textGraph());
    await client.reached(id, 'succeeded');
    const tookMs = performance.now() - submittedAt;
    process.stdout.write(`first job of a pool without workers: ${(tookMs / 1_000).toFixed(1)} s\n`);
    expect(tookMs).toBeLessThan(MAX_COLD_START_MS);
  });

  it('are scaled in without cutting the job of the one that is stopped', async () => {
    const long = await client.submitted(sleepingGraph(25));
    await client.reached(long.id, 'running');
    const short = await client.submitted(sleepingGraph(1));
    await expect.poll(() => scaled.count, { timeout: 60_000 }).toBe(2);
    await client.reached(short.id, 'succeeded');
    // The older worker has the long job.
    await expect.poll(() => scaled.count, { timeout: 60_000 }).toBe(1);
    expect((await client.jobNow(long.id)).status).toBe('running');
    await client.reached(long.id, 'succeeded');
    // Its series begin with the first lease that is lost.
    expect(await prometheus.metrics()).toContain('heddle_leases_lost_total');
    expect(await prometheus.query('heddle_leases_lost_total > 0')).toEqual([]);
  });

  it('are scaled to zero after the cooldown', async () => {
    await expect.poll(() => scaled.count, { timeout: 60_000 }).toBe(0);
    await expect
      .poll(async () => (await prometheus.query('max(heddle_deployment_workers{deployment="managed"})'))[0]?.value[1], {
        timeout: 60_000,
      })
      .toBe('0');
  });

  it('are measured as a cold start once the pool has had no worker for a while', async () => {
    // The first job is one as well if a busy machine took longer over the set-up.
    const before = await coldStarts();
    expect(before).toBeLessThanOrEqual(1);
    await delay(RECONNECT_MS);
    const { id } = await client.submitted(textGraph());
    await client.reached(id, 'succeeded');
    await expect.poll(coldStarts, { timeout: 30_000 }).toBe(before + 1);
    expect(cluster.crashes()).toEqual([]);
  });
});
