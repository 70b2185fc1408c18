import { readFileSync } from 'node:fs';
import { JOBS_CALLS } from '@heddle/internal-api/serve';
import { ServiceChannel } from '@heddle/platform-service-calls/call';
import { newPlace, startServers, startTestCluster } from '@heddle/testing-cluster';
import type { ClusterPlace, SharedServers, TestCluster } from '@heddle/testing-cluster';
import { eventually, HeddleClient, send, textGraph, textOf } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedMetrics, STANDARD_METRICS } from './documented-metrics.js';
import { parseExposition } from './exposition.js';
import type { Family } from './exposition.js';
import { pathOf, tracedTo, traceJob } from './traced-job.js';
import type { TracedJob } from './traced-job.js';
import { renderTrace, TraceCollector } from './trace-collector.js';

const JOBS = 'heddle.jobs.events.v1';
const SERVICES = ['gateway', 'validation', 'jobs', 'assets', 'logs', 'worker'].map((name) => `heddle-${name}`);
const CANARY = 'canary-0f2b9c';
const TOKEN = `${CANARY}-static-token-0123456789`;

describe('a cluster that is looked at', () => {
  const collector = new TraceCollector();
  let servers: SharedServers;
  let place: ClusterPlace;
  let cluster: TestCluster;
  let client: HeddleClient;
  let job: TracedJob;
  beforeAll(async () => {
    servers = await startServers({ ownPostgres: false });
    place = await newPlace(servers);
    const env = {
      ...tracedTo(await collector.listen()),
      HEDDLE_STATIC_TOKEN: TOKEN,
      HEDDLE_LOG_LEVEL: 'debug',
    };
    cluster = await startTestCluster(place, { env, replicas: 'gateway=2,jobs=2' });
    client = await HeddleClient.connect(cluster.url, { token: TOKEN });
    const endsWith = [`process ${JOBS} as assets`, `process ${JOBS} as logs`];
    job = await traceJob(client, collector, { endsWith, services: SERVICES });
  }, 240_000);
  afterAll(async () => {
    await cluster?.stop();
    await collector.close();
    await place?.remove();
    await servers?.stop();
  }, 60_000);

  it('shows a job as one trace over calls, messages and the worker, from the request to the last frame', () => {
    const { id, traceId, clientSpan, spans } = job;
    console.info(renderTrace(spans));
    expect([...collector.tracesOf(id)]).toEqual([traceId]);
    expect(spans.find(({ name }) => name === 'POST /api/v2/jobs')?.parentId).toBe(clientSpan);
    const pathsOf = (name: string): ReadonlySet<string> =>
      new Set(spans.filter((span) => span.name === name).map((span) => pathOf(span, spans).join(' > ')));
    const submit = '/heddle.jobs.v1.JobsService/Submit';
    expect(pathsOf('commit JobSubmitted')).toContain(`POST /api/v2/jobs > ${submit} > ${submit} > commit JobSubmitted`);
    expect(pathsOf('run attempt')).toEqual(new Set(['POST /api/v2/jobs > run attempt']));
    expect(pathsOf('run node')).toEqual(new Set(['POST /api/v2/jobs > run attempt > run node']));
    const store = '/internal/v1/worker-assets/commit-output';
    expect(pathsOf(store)).toContain(`POST /api/v2/jobs > run attempt > store output > ${store} > ${store}`);
    for (const group of ['assets', 'logs']) {
      const name = `process ${JOBS} as ${group}`;
      expect(pathsOf(name)).toEqual(new Set([`POST /api/v2/jobs > publish ${JOBS} > ${name}`]));
    }
    expect(pathsOf('job.terminal.frame')).toEqual(
      new Set([`POST /api/v2/jobs > publish ${JOBS} > job.terminal.frame`]),
    );
    const services = new Set(spans.map(({ service }) => service));
    expect(services).toEqual(new Set(SERVICES));
  });

  it('exports every metric of the table somewhere and no other, in a form that a strict reader takes', async () => {
    // Two replicas know each other soon after their start.
    const found = await eventually('replicas that know each other', async () => {
      const all = await metricsOf(cluster);
      return valueIn(all, 'heddle_peers_live') === 2 ? all : null;
    });
    // Only standalone has an embedded database, only surfaces with accounts have keys and deployments, and the partner proxy
    // has its metrics from its first request on.
    const elsewhere =
      /^heddle_(database_restarts_total$|key_|deployment_|proxy_|lease_waiting_workers$|job_cold_start_seconds$)/;
    const table = documentedMetrics().filter((name) => !elsewhere.test(name));
    const own = [...found].filter(([name]) => !/^(process|nodejs)_/.test(name));
    expect(own.map(([name]) => name).sort()).toEqual([...table].sort());
    for (const name of STANDARD_METRICS)
      expect([name, found.get(name)?.length]).toEqual([name, cluster.processes.length]);
    for (const { name, kind, samples } of own.flatMap(([, families]) => families)) {
      expect([name, /_total$/.test(name)]).toEqual([name, kind === 'counter']);
      for (const { labels } of samples) {
        expect(Object.values(labels).join(' ')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
        expect(Object.keys(labels).length).toBeLessThanOrEqual(3);
      }
    }
    const valueOf = (name: string): number => valueIn(found, name);
    expect(valueOf('heddle_jobs_submitted_total')).toBe(1);
    for (const name of [
      'heddle_bus_published_total',
      'heddle_bus_handled_total',
      'heddle_relayed_events_total',
      'heddle_job_attempts_total',
    ]) {
      expect([name, valueOf(name) > 0]).toEqual([name, true]);
    }
    expect(valueOf('heddle_worker_slots')).toBe(1);
  });

  it('names request, trace and job in the lines of its logs', async () => {
    const { lines, attempt, request } = await eventually('the lines of the job', () => {
      const lines = linesOf(cluster);
      const attempt = lines.find((line) => line['msg'] === 'an attempt has ended' && line['job_id'] === job.id);
      const request = lines.find((line) => line['msg'] === 'request' && line['method'] === 'POST');
      const areWhole = lines.every((line) => 'service' in line);
      return areWhole && attempt !== undefined && request !== undefined ? { lines, attempt, request } : null;
    });
    expect(attempt).toMatchObject({ trace_id: job.traceId, request_id: `${job.id}:1`, outcome: 'succeeded' });
    expect(request).toMatchObject({ trace_id: job.traceId, service: 'gateway', status: 201 });
    for (const line of lines) expect(line).toHaveProperty('service');
  });

  it('writes no secret into a log or a span, whatever is done wrong', async () => {
    const secret = { api_key_partner_org: `${CANARY}-partner-key`, auth_token_partner_org: `${CANARY}-partner-token` };
    const { id } = await client.submitted(textGraph(), { extraData: secret });
    await client.ended(id);
    const asStranger = client.as({ token: `${CANARY}-wrong-token` });
    expect((await asStranger.submit(textGraph(), { extraData: secret })).status).toBe(401);
    expect((await client.submit({ '1': { class_type: 'Nothing', inputs: {} } }, { extraData: secret })).status).toBe(
      422,
    );
    const callsPort = cluster.processes.find(({ plan }) => plan.service === 'jobs')!.plan.env['HEDDLE_CALLS_PORT'];
    const token = (): string => `${CANARY}.forged.token`;
    const targets = [`http://127.0.0.1:${callsPort}`];
    const channel = new ServiceChannel({ service: 'jobs', targets, token, repeatable: [] });
    for (let times = 0; times < 30; times += 1) {
      const refused = channel.call(JOBS_CALLS.definition.get, { principal: undefined, jobId: '' });
      await expect(refused).rejects.toMatchObject({ status: 401, code: 'no_identity' });
    }
    await channel.close();
    const logs = cluster.logs();
    const secrets = cluster.processes.flatMap(({ plan: { env } }) => [
      ...tokensOf(env['HEDDLE_SERVICE_TOKEN_FILE']),
      env['HEDDLE_S3_SECRET_KEY'] ?? CANARY,
      env['HEDDLE_DATABASE_URL'] === undefined ? CANARY : new URL(env['HEDDLE_DATABASE_URL']).password,
    ]);
    for (const one of new Set([CANARY, ...secrets])) {
      expect(one.length).toBeGreaterThan(8);
      expect([one, logs.includes(one), collector.bodies.join('').includes(one)]).toEqual([one, false, false]);
    }
    // Thirty refusals of one kind are one line, or a few lines if ten seconds passed.
    const refusals = await eventually('a line of them', () => {
      const lines = linesOf(cluster).filter(({ msg }) => msg === 'a call was refused');
      return lines.length > 0 ? lines : null;
    });
    expect(refusals.length).toBeLessThan(10);
  }, 120_000);
});

/** Metrics of all processes, by name. */
async function metricsOf(cluster: TestCluster): Promise<ReadonlyMap<string, readonly Family[]>> {
  const found = new Map<string, Family[]>();
  for (const { plan } of cluster.processes) {
    const answer = await send(`http://127.0.0.1:${plan.opsPort}`, { method: 'GET', target: '/metrics' });
    for (const family of parseExposition(textOf(answer))) {
      found.set(family.name, [...(found.get(family.name) ?? []), family]);
    }
  }
  return found;
}

function tokensOf(file: string | undefined): readonly string[] {
  return file === undefined ? [] : readFileSync(file, 'utf8').trim().split('\n');
}

function valueIn(found: ReadonlyMap<string, readonly Family[]>, name: string): number {
  return (found.get(name) ?? []).flatMap(({ samples }) => samples).reduce((sum, { value }) => sum + value, 0);
}

/** Parses the log lines, without the ready lines and an incomplete last line. */
function linesOf(cluster: TestCluster): readonly Record<string, unknown>[] {
  return cluster
    .logs()
    .split('\n')
    .filter((line) => line !== '' && !/^heddle \w+ ready /.test(line))
    .map((line) => {
      try {
        return JSON.parse(line) as Record<string, unknown>;
      } catch {
        return { unreadable: line };
      }
    });
}
