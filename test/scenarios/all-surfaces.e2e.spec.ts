import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Comfy } from '@comfyorg/sdk';
import type { Job } from '@comfyorg/sdk';
import { eventually, failingGraph, pictureGraph, sleepingGraph, textGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_TIMEOUT_MS } from '../chaos/heddle-under-fire.js';
import { namesBelowLocalhost } from './below-localhost.js';
import { runCli } from './run-cli.js';

const START_DELAY_S = 2;
const UNAVAILABLE_RETRY_S = 1;
const SETTINGS = {
  HEDDLE_SURFACE: 'managed',
  HEDDLE_DEPLOYMENT_HOST: 'run.localhost',
  HEDDLE_TEST_NODES: '1',
  // Long enough for every other job on a busy machine.
  HEDDLE_MAX_RUNTIME_S: '6',
  HEDDLE_COLD_START_S: '4',
  HEDDLE_UNAVAILABLE_RETRY_S: String(UNAVAILABLE_RETRY_S),
};
const PER_JOB = 10;
/** A client that waits as told gets in after so many refusals at most, however long the starts take. */
const MAX_REFUSALS = 5;

type HostName = 'managed' | 'alpha' | 'beta';

/** What a platform team and two customers do on one machine, with the command and an official client. Parts build on each other. */
describe('a team that runs managed and two deployments', { timeout: TEST_TIMEOUT_MS }, () => {
  let first: Standalone;
  let heddle: Standalone;
  let endNames: () => void;
  let [acme, other] = ['', ''];

  const operator = async (command: string): Promise<Record<string, unknown>[]> => {
    const ended = await runCli([...command.split(' '), '--json'], { HEDDLE_DATA: heddle.dataDir });
    if (ended.code !== 0) throw new Error(`heddle ${command} ended with ${ended.code}: ${ended.err}`);
    return ended.lines();
  };
  const one = async (command: string): Promise<Record<string, unknown>> => (await operator(command))[0]!;
  const originOf = (host: HostName): string => {
    const name = host === 'managed' ? '127.0.0.1' : `${host}.run.localhost`;
    return `http://${name}:${heddle.port}`;
  };
  const client = (host: HostName, key: string): Comfy => {
    process.env['COMFY_BASE_URL'] = originOf(host);
    return new Comfy({ apiKey: key });
  };
  const run = async (host: HostName, graph: object, key = acme): Promise<Job> => {
    const comfy = client(host, key);
    return await comfy.submit(comfy.workflows.fromJson(graph as Record<string, unknown>));
  };
  const ask = async (host: HostName, path: string, init: RequestInit = {}, key = acme): Promise<Response> =>
    await fetch(`${originOf(host)}/api/v2/${path}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    });
  const submission = (idempotencyKey: string, graph = textGraph()): RequestInit => ({
    method: 'POST',
    body: JSON.stringify({ workflow: graph }),
    headers: { 'idempotency-key': idempotencyKey },
  });
  /** Waits as long as it is told, and sends the same key again. */
  const obedient = async (host: HostName, code: string, most: number): Promise<number> => {
    const key = randomUUID();
    for (let refusals = 0; refusals <= MAX_REFUSALS; refusals += 1) {
      const answer = await ask(host, 'jobs', submission(key));
      if (answer.status === 201) return refusals;
      const { error } = (await answer.json()) as { error: { code: string } };
      const after = Number(answer.headers.get('retry-after'));
      expect({ status: answer.status, code: error.code }).toEqual({ status: 429, code });
      expect(after).toBeGreaterThanOrEqual(1);
      expect(after).toBeLessThanOrEqual(most);
      await delay(after * 1_000);
    }
    throw new Error(`${host} refused ${MAX_REFUSALS} times, each time after the wait that it asked for`);
  };
  const statusOf = async (label: string): Promise<unknown> => (await one(`deployments show ${label}`))['status'];
  const reaches = async (label: string, status: string): Promise<true> =>
    await eventually(`${label} is ${status}`, async () => (await statusOf(label)) === status);

  beforeAll(async () => {
    endNames = namesBelowLocalhost();
    first = heddle = await startStandalone({ env: SETTINGS });
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    delete process.env['COMFY_BASE_URL'];
    endNames();
    await heddle?.stop();
    await first?.stop();
  });

  it('makes two accounts with keys, and two deployments, one for all and one that starts slowly', async () => {
    [acme, other] = (await Promise.all(
      ['acme', 'other'].map(async (name) => String((await one(`keys create --account ${name}`))['key'])),
    )) as [string, string];
    await one('deployments create alpha --environment builtin');
    await one(`deployments create beta --account acme --environment builtin --start-delay ${START_DELAY_S}`);
  });

  it('is told when to come back to a deployment that starts, and gets in then [JS24]', async () => {
    const refusals = await obedient('beta', 'deployment_not_ready', Number(SETTINGS.HEDDLE_COLD_START_S));
    expect(refusals).toBeGreaterThan(0);
    expect(await statusOf('beta')).toBe('ready');
  });

  it('is told when to come back to a deployment that is paused, and gets in then [JS24]', async () => {
    await reaches('alpha', 'ready');
    await one('deployments pause alpha');
    const inside = obedient('alpha', 'deployment_unavailable', UNAVAILABLE_RETRY_S);
    const refused = await ask('alpha', 'jobs', submission(randomUUID()));
    expect(refused.status).toBe(429);
    await one('deployments resume alpha');
    expect(await inside).toBeGreaterThan(0);
  });

  it('runs jobs on every surface with one key, and finds each where it was submitted [AU08]', async () => {
    const ids = new Map<HostName, string>();
    for (const host of ['managed', 'alpha', 'beta'] as const) {
      const job = await run(host, pictureGraph());
      await job.result();
      expect(job.status).toBe('succeeded');
      ids.set(host, job.id);
    }
    for (const [host, id] of ids) {
      expect((await ask(host, `jobs/${id}`)).status).toBe(200);
      expect((await ask(host === 'alpha' ? 'managed' : 'alpha', `jobs/${id}`)).status).toBe(404);
      expect((await ask(host, `jobs/${id}`, {}, other)).status).toBe(404);
    }
    // The deployment of one account is unknown to the other.
    await expect(run('beta', textGraph(), other)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('refuses what an account cannot pay, and takes the same key after a grant [JS21]', async () => {
    await one(`credits price managed --per-job ${PER_JOB}`);
    const key = randomUUID();
    const graph = textGraph();
    const refused = await ask('managed', 'jobs', submission(key, graph));
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      error: { code: 'insufficient_credits', details: { required: PER_JOB, balance: 0 } },
    });
    await expect(run('managed', textGraph())).rejects.toMatchObject({ code: 'insufficient_credits' });
    await one(`credits grant acme ${2 * PER_JOB}`);
    const taken = await ask('managed', 'jobs', submission(key, graph));
    expect(taken.status).toBe(201);
    const { id } = (await taken.json()) as { id: string };
    await eventually('the settled job', async () => {
      const sums = await one('credits show acme');
      return sums['reserved'] === 0 && sums['charged'] === PER_JOB;
    });
    const kinds = (await operator('credits ledger acme')).map(({ kind, job_id }) => [kind, job_id]);
    expect(kinds).toEqual([
      ['grant', null],
      ['reserve', id],
      ['settle', id],
    ]);
  });

  it('gives the logs of a success and of a failure, and none of a timeout nor on managed [LG01] [LG02] [LG03] [LG04] [LG07] [LG08]', async () => {
    const succeeded = await run('alpha', sleepingGraph(3));
    expect((await ask('alpha', `jobs/${succeeded.id}/logs`)).status).toBe(204);
    const failed = await run('alpha', failingGraph('no such colour'));
    const late = await run('alpha', sleepingGraph(60));
    const unlogged = await run('managed', textGraph());
    for (const job of [succeeded, failed, late, unlogged]) await job.result().catch(() => undefined);
    expect([succeeded.status, failed.status, late.status]).toEqual(['succeeded', 'failed', 'failed']);
    expect((await (await ask('alpha', `jobs/${late.id}`)).json()) as object).toMatchObject({
      error: { code: 'timeout' },
    });
    const textOf = async (job: Job): Promise<string> => {
      const { urls } = (await (await ask('alpha', `jobs/${job.id}`)).json()) as { urls: { logs: string } };
      const answer = await fetch(urls.logs, { headers: { authorization: `Bearer ${acme}` } });
      expect(answer.status).toBe(200);
      const log = (await answer.json()) as { text: string };
      const instant = expect.stringMatching(/^\d{4}-.*Z$/) as string;
      expect(log).toEqual({ text: expect.any(String), truncated: false, complete: true, captured_at: instant });
      return log.text;
    };
    expect(await textOf(succeeded)).toMatch(/succeeded\n$/);
    expect(await textOf(failed)).toContain('no such colour');
    for (let n = 0; n < 2; n += 1) expect((await ask('alpha', `jobs/${late.id}/logs`)).status).toBe(204);
    expect((await ask('managed', `jobs/${unlogged.id}/logs`)).status).toBe(204);
  });

  it('downloads by a signed URL without a credential, on every surface', async () => {
    await one(`credits grant acme ${PER_JOB}`);
    for (const host of ['managed', 'alpha', 'beta'] as const) {
      const job = await run(host, pictureGraph());
      await job.result();
      const [output] = job.outputs;
      const { url, expiresAt } = await output!.getDownloadUrl();
      expect(new URL(url).origin).toBe(originOf(host));
      expect(expiresAt?.getTime()).toBeGreaterThan(Date.now());
      const plain = await fetch(url);
      expect(plain.status).toBe(200);
      expect(Buffer.from(await plain.arrayBuffer()).equals(Buffer.from(await output!.toBytes()))).toBe(true);
      expect((await fetch(url.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(403);
    }
  });

  it('drains a deployment with jobs in flight, which all end, and starts it again', async () => {
    const inFlight = await run('beta', sleepingGraph(1.5));
    const waiting = await run('beta', textGraph());
    expect((await one('deployments drain beta'))['status']).toBe('draining');
    const refused = await ask('beta', 'jobs', submission(randomUUID()));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: 'deployment_unavailable' } });
    for (const job of [inFlight, waiting]) await job.result();
    expect([inFlight.status, waiting.status]).toEqual(['succeeded', 'succeeded']);
    await reaches('beta', 'stopped');
    await one('deployments start beta');
    const measured = Number((await one('deployments show beta'))['cold_start_s']);
    expect(measured).toBeGreaterThanOrEqual(START_DELAY_S);
    await obedient('beta', 'deployment_not_ready', Math.ceil(measured));
  });

  it('is restarted with partner credentials in its queues: managed runs the job, dedicated fails it', async () => {
    await one(`credits grant acme ${2 * PER_JOB}`);
    const ids = new Map<HostName, string>();
    const body = { workflow: textGraph(), extra_data: { api_key_partner_org: 'partner-key-of-acme' } };
    for (const host of ['managed', 'alpha'] as const) {
      await run(host, sleepingGraph(3));
      const answer = await ask(host, 'jobs', { method: 'POST', body: JSON.stringify(body) });
      expect(answer.status).toBe(201);
      ids.set(host, ((await answer.json()) as { id: string }).id);
    }
    await heddle.terminate();
    heddle = await startStandalone({ env: SETTINGS, dataDir: first.dataDir, port: first.port });
    const end = async (host: HostName): Promise<unknown> => {
      const job = await client(host, acme).jobs.get(ids.get(host)!);
      await job.result().catch(() => undefined);
      return await (await ask(host, `jobs/${ids.get(host)}`)).json();
    };
    expect(await end('managed')).toMatchObject({ status: 'succeeded', error: null });
    expect(await end('alpha')).toMatchObject({ status: 'failed', error: { code: 'credential_lost' } });
  });

  it('keeps its ledgers true to its log', async () => {
    expect(await one('credits check')).toMatchObject({ problems: [] });
  });
});
