import { newPlace, startServers, startTestCluster } from '@heddle/testing-cluster';
import type { ClusterPlace, SharedServers, TestCluster } from '@heddle/testing-cluster';
import { HeddleClient } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf, tracedTo, traceJob } from './traced-job.js';
import { renderTrace, TraceCollector } from './trace-collector.js';

const JOBS = 'heddle.jobs.events.v1';
const WORKER = 'heddle.worker.events.v1';

describe('a job of a cluster', () => {
  const collector = new TraceCollector();
  let servers: SharedServers;
  let place: ClusterPlace;
  let cluster: TestCluster;
  beforeAll(async () => {
    servers = await startServers({ ownPostgres: false });
    place = await newPlace(servers);
    const env = tracedTo(await collector.listen());
    cluster = await startTestCluster(place, { env, replicas: 'gateway=2,jobs=2' });
  }, 240_000);
  afterAll(async () => {
    await cluster?.stop();
    await collector.close();
    await place?.remove();
    await servers?.stop();
  });

  it('is one trace over calls, messages and the worker, from the request to the last frame', async () => {
    const client = await HeddleClient.connect(cluster.url);
    const { id, traceId, clientSpan, spans } = await traceJob(client, collector);
    console.info(renderTrace(spans));
    expect([...collector.tracesOf(id)]).toEqual([traceId]);
    expect(spans.find(({ name }) => name === 'POST /api/v2/jobs')?.parentId).toBe(clientSpan);
    const pathsOf = (name: string): ReadonlySet<string> =>
      new Set(spans.filter((span) => span.name === name).map((span) => pathOf(span, spans).join(' > ')));
    const submit = '/internal/v1/jobs/submit';
    expect(pathsOf('commit JobSubmitted')).toContain(`POST /api/v2/jobs > ${submit} > ${submit} > commit JobSubmitted`);
    expect(pathsOf('run attempt')).toEqual(new Set(['POST /api/v2/jobs > run attempt']));
    expect(pathsOf('run node')).toEqual(new Set(['POST /api/v2/jobs > run attempt > run node']));
    const store = '/internal/v1/worker-assets/commit-output';
    expect(pathsOf(store)).toContain(`POST /api/v2/jobs > run attempt > store output > ${store} > ${store}`);
    expect(pathsOf(`process ${WORKER} as jobs`)).toEqual(
      new Set([`POST /api/v2/jobs > run attempt > publish ${WORKER} > process ${WORKER} as jobs`]),
    );
    expect(pathsOf(`process ${JOBS} as assets`)).toEqual(
      new Set([`POST /api/v2/jobs > publish ${JOBS} > process ${JOBS} as assets`]),
    );
    expect(pathsOf('job.terminal.frame')).toEqual(
      new Set([`POST /api/v2/jobs > publish ${JOBS} > job.terminal.frame`]),
    );
    const services = new Set(spans.map(({ service }) => service));
    expect(services).toEqual(
      new Set(['gateway', 'validation', 'jobs', 'assets', 'worker'].map((name) => `heddle-${name}`)),
    );
  });
});
