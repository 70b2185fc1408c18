import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonOf, pictureGraph, send, textGraph } from '@heddle/testing-api';
import type { Answer } from '@heddle/testing-api';
import { startTestCluster } from '@heddle/testing-cluster';
import type { TestCluster } from '@heddle/testing-cluster';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Canary } from '../security/canary.js';
import { describeOnServers } from './on-cluster.js';

const SETTINGS = { HEDDLE_SURFACE: 'managed', HEDDLE_DEPLOYMENT_HOST: 'run.test', HEDDLE_READ_RATE: '1000' };
const OPTIONS = { env: SETTINGS, replicas: 'gateway=2,jobs=2,worker=0', deployments: 'alpha=1' };
const HOST = 'alpha.run.test';
const WITHIN = { timeout: 60_000, interval: 50 };

await describeOnServers('dedicated deployments of a cluster', (on) => {
  let cluster: TestCluster;
  let [mine, theirs]: [string, string] = ['', ''];
  let jobId: string;
  beforeAll(async () => {
    cluster = await startTestCluster(on().place, OPTIONS);
    [mine, theirs] = [await keyOf('acme'), await keyOf('other')];
  }, 240_000);
  afterAll(() => cluster?.kill());

  async function admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const note = JSON.parse(readFileSync(join(on().place.dataDir, 'admin.json'), 'utf8')) as Record<string, string>;
    const answer = await fetch(`${note['url']}/admin/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${note['token']}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const fields = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(fields)}`);
    return fields;
  }
  async function keyOf(account: string): Promise<string> {
    return String((await admin('POST', 'keys', { account }))['key']);
  }
  function gateways(): readonly TestCluster['processes'][number][] {
    return cluster.processes.filter(({ plan }) => plan.service === 'gateway');
  }
  async function ask(
    at: number,
    path: string,
    { key = mine, host = HOST, graph, fields = {} }: Asked = {},
  ): Promise<Answer> {
    return await send(`http://127.0.0.1:${gateways()[at]!.plan.apiPort}`, {
      method: graph === undefined ? 'GET' : 'POST',
      target: `/api/v2/${path}`,
      headers: { host, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(graph && { body: JSON.stringify({ workflow: graph, ...fields }) }),
    });
  }
  /** Statuses of a submission at both gateways; 0: no answer. */
  async function submissions(): Promise<number[]> {
    const graph = textGraph();
    return await Promise.all(
      [0, 1].map((at) =>
        ask(at, 'jobs', { graph }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
  }

  it('run jobs with logs, for the account that submitted them alone, at their host alone', async () => {
    // The directories of the gateways follow within a moment.
    await expect.poll(submissions, WITHIN).toEqual([201, 201]);
    const submitted = fieldsOf(await ask(0, 'jobs', { graph: textGraph() }));
    jobId = String(submitted['id']);
    const job = async (): Promise<unknown> => fieldsOf(await ask(1, `jobs/${jobId}`))['status'];
    await expect.poll(job, WITHIN).toBe('succeeded');
    const log = await ask(1, `jobs/${jobId}/logs`);
    expect([log.status, fieldsOf(log)['text']]).toEqual([200, expect.stringContaining(`job ${jobId}, attempt 1`)]);
    const elsewhere = { host: '127.0.0.1' };
    for (const options of [{ key: theirs }, elsewhere]) {
      expect((await ask(0, `jobs/${jobId}`, options)).status).toBe(404);
      expect((await ask(1, `jobs/${jobId}/logs`, options)).status).toBe(404);
    }
    expect((await ask(0, 'jobs', { host: 'nobody.run.test' })).status).toBe(404);
  });

  it('keep partner credentials out of topics, objects, tables and log lines, where open fields are found', async () => {
    const [canary, decoy] = [new Canary(), new Canary()];
    const fields = {
      metadata: { decoy: decoy.text },
      extra_data: { api_key_partner_org: canary.text, auth_token_partner_org: `${canary.text}-token` },
    };
    const submit = async (host: string): Promise<string> =>
      String(fieldsOf(await ask(0, 'jobs', { host, fields, graph: pictureGraph() }))['id']);
    const ended = await submit(HOST);
    const job = async (): Promise<unknown> => fieldsOf(await ask(1, `jobs/${ended}`))['status'];
    await expect.poll(job, WITHIN).toBe('succeeded');
    // No worker serves managed here: its credentials wait in their sealed row.
    const waiting = await submit('127.0.0.1');

    const { postgres, objectsDir } = on().servers;
    const client = new pg.Client(on().place.ownerUrl);
    onTestFinished(async () => await client.end());
    await client.connect();
    const sealed = await client.query('select from jobs.sealed_credentials where job_id = $1', [waiting]);
    expect(sealed.rowCount).toBe(1);
    // The records of topics are not compressed.
    const places = {
      topics: join(dirname(dirname(objectsDir)), 'kafka'),
      objects: objectsDir,
      logs: on().place.dataDir,
    };
    const folders = [...Object.values(places), postgres!.server.folder.pgdata];
    const inTopics = async (): Promise<number> => (await decoy.filesIn([places.topics])).hits.length;
    await expect.poll(inTopics, WITHIN).toBeGreaterThan(0);
    await client.query('checkpoint');
    expect((await canary.tablesOf(client)).hits).toEqual([]);
    expect((await decoy.tablesOf(client)).hits).toContain('jobs.job');
    expect((await canary.filesIn(folders)).hits).toEqual([]);
    const found = (await decoy.filesIn(folders)).hits.join();
    for (const place of [places.topics, 'pg_wal']) expect(found).toContain(place);
    expect((await canary.filesIn([places.objects])).bytes).toBeGreaterThan(0);
  });

  it('let an account through as its limits say, whichever gateways it uses', { timeout: 60_000 }, async () => {
    const [rate, burst] = [20, 40];
    const key = await keyOf('limited');
    const limits = { read_rate: rate, read_burst: burst, queue_depth: 3, running: 0 };
    await admin('POST', 'accounts/limited/limits', { limits });
    const graph = textGraph();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(n % 2, 'jobs', { key, graph })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await admin('GET', 'accounts/limited')).toMatchObject({
      usage: { waiting: 3, running: 0, storage_bytes: 0 },
    });
    const began = performance.now();
    let [sent, passed] = [0, 0];
    const flood = async (at: number): Promise<void> => {
      for (; performance.now() < began + 5_000; sent += 1)
        if ((await ask(at, 'jobs', { key })).status === 200) passed += 1;
    };
    await Promise.all([flood(0), flood(1), flood(1)]);
    const allowed = burst + (rate * (performance.now() - began)) / 1_000;
    // A busy machine may send less than the account may; shared-use.spec.ts holds the lower bound.
    expect(passed, `of ${sent}`).toBeGreaterThan(Math.min(allowed, sent) * 0.7);
    expect(passed).toBeLessThan(allowed * 1.1);
    // Its jobs may run now: a drain waits for them.
    await admin('POST', 'accounts/limited/limits', { limits: { running: null } });
    const waiting = async (): Promise<unknown> => await admin('GET', 'accounts/limited');
    await expect.poll(waiting, WITHIN).toMatchObject({ usage: { waiting: 0, running: 0 } });
  });

  it(
    'are paused and resumed at every gateway, also without Kafka and after a kill -9',
    { timeout: 180_000 },
    async () => {
      const { kafka } = on().servers;
      kafka.freeze(0);
      await admin('POST', 'deployments/alpha/pause');
      await expect.poll(submissions, WITHIN).toEqual([429, 429]);
      const refused = await ask(0, 'jobs', { graph: textGraph() });
      expect([fieldsOf(refused)['error'], refused.headers['retry-after']]).toEqual([
        expect.objectContaining({ code: 'deployment_unavailable' }),
        '30',
      ]);
      kafka.thaw(0);

      const jobs = cluster.processes.find(({ plan }) => plan.service === 'jobs')!;
      await Promise.all([jobs.kill(), gateways()[1]!.kill()]);
      await admin('POST', 'deployments/alpha/resume');
      await expect.poll(submissions, WITHIN).toEqual([201, 201]);
      await admin('POST', 'deployments/alpha/pause');
      await expect.poll(submissions, WITHIN).toEqual([429, 429]);
      expect(fieldsOf(await ask(1, `jobs/${jobId}`))).toMatchObject({ status: 'succeeded' });
    },
  );

  it(
    'are there again after a restart, with their jobs, and take another environment',
    { timeout: 180_000 },
    async () => {
      const before = (await admin('GET', 'deployments/alpha'))['deployment_id'];
      await cluster.stop();
      cluster = await startTestCluster(on().place, OPTIONS);
      expect(await admin('GET', 'deployments/alpha')).toMatchObject({
        deployment_id: before,
        reason: 'paused by the operator',
      });
      expect((await ask(0, `jobs/${jobId}/logs`)).status).toBe(200);

      const status = async (): Promise<unknown> => (await admin('GET', 'deployments/alpha'))['status'];
      await admin('POST', 'deployments/alpha/drain');
      await expect.poll(status, WITHIN).toBe('stopped');
      await admin('POST', 'deployments/alpha/repin', { engine: 'builtin', engine_version: '2' });
      await admin('POST', 'deployments/alpha/start');
      // The launcher starts workers of the new revision: those of the old one are of another pool.
      await expect.poll(status, WITHIN).toBe('ready');
      await expect.poll(submissions, WITHIN).toEqual([201, 201]);
      const names = (): string[] =>
        cluster.processes.filter(({ plan }) => plan.service === 'worker').map(({ plan }) => plan.name);
      await expect.poll(names, WITHIN).toEqual(['worker-alpha-r2-1']);
    },
  );
});

function fieldsOf(answer: Answer): Record<string, unknown> {
  return jsonOf(answer) as Record<string, unknown>;
}

interface Asked {
  readonly key?: string;
  readonly host?: string;
  readonly graph?: object;
  /** Beside the graph */
  readonly fields?: object;
}
