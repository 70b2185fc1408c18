import { readFile } from 'node:fs/promises';
import { builtinObjectInfo } from '@heddle/engine-builtin';
import { playGraph, ScriptedEngine } from '@heddle/engine-comfyui-server/scripted';
import type { PromptScript } from '@heddle/engine-comfyui-server/scripted';
import { eventually, expectStatus, isTerminal, jsonOf, pictureGraph, send, textOf } from '@heddle/testing-api';
import type { Answer, Job } from '@heddle/testing-api';
import { NotStarted, startStandalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDatabase } from '../api/database.js';
import { Canary } from './canary.js';
import { DEPLOYMENT_HOST, startKeyed } from './keyed-heddle.js';
import type { KeyedHeddle } from './keyed-heddle.js';

const HOSTS = { managed: '127.0.0.1', dedicated: `alpha.${DEPLOYMENT_HOST}` } as const;
type Served = keyof typeof HOSTS;
const SERVED: readonly Served[] = ['managed', 'dedicated'];
const CASES = ['succeeded', 'failed', 'canceled', 'running', 'waiting'] as const;
type Case = (typeof CASES)[number];

/** What the engine does with a prompt, by the case that its credential names: it repeats the credential in its error. */
const play: PromptScript = async (prompt) => {
  const text = JSON.stringify(prompt.prompt);
  if (text.includes('-running-')) return await prompt.deaf();
  if (!text.includes('-failed-')) return await playGraph(prompt);
  prompt.begin('1');
  return prompt.error('1', `401 for ${/canary[0-9a-z-]+key/.exec(text)?.[0]}`);
};

/** One process that serves managed, and a dedicated deployment beside it, in front of an engine that repeats secrets. */
describe('a sweep for partner credentials, on managed and on dedicated', () => {
  /** In the credentials of every job. */
  const canary = new Canary();
  /** In the metadata of every job, where the sweep must find it. */
  const decoy = new Canary();
  const said: string[] = [];
  const jobs = new Map<string, string>();
  let engine: ScriptedEngine;
  let env: Record<string, string>;
  let heddle: KeyedHeddle;
  let key: string;

  const credentialOf = (served: Served, name: Case): string => `${canary.text}-${served}-${name}-`;
  const promptsWith = (credential: string): number =>
    engine.prompts.filter((prompt) => JSON.stringify(prompt).includes(credential)).length;

  async function ask(served: Served, method: string, target: string, body?: object): Promise<Answer> {
    const more = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await heddle.ask(key, { method, target, host: HOSTS[served], ...more });
    said.push(`${method} ${target} ${JSON.stringify(answer.headers)} ${textOf(answer)}`);
    return answer;
  }
  const jobOf = async (served: Served, name: Case): Promise<Job> =>
    jsonOf<Job>(await ask(served, 'GET', `/api/v2/jobs/${jobs.get(`${served} ${name}`)}`));

  async function submit(served: Served, name: Case): Promise<void> {
    const credential = credentialOf(served, name);
    const answer = await ask(served, 'POST', '/api/v2/jobs', {
      workflow: pictureGraph(),
      metadata: { decoy: decoy.text },
      extra_data: { api_key_partner_org: `${credential}key`, auth_token_partner_org: `${credential}token` },
    });
    jobs.set(`${served} ${name}`, jsonOf<Job>(expectStatus(answer, 201)).id);
  }
  const reached = (served: Served, name: Case, status: string): Promise<Job> =>
    eventually(`the ${served} job to be ${status}`, async () => {
      const job = await jobOf(served, name);
      if (job.status !== status && isTerminal(job.status)) throw new Error(`it is ${JSON.stringify(job)}`);
      return job.status === status && job;
    });
  const sealed = (): Promise<readonly string[]> =>
    withDatabase(heddle.dataDir, async (client) => {
      const { rows } = await client.query<{ job_id: string }>('select job_id from jobs.sealed_credentials order by 1');
      return rows.map(({ job_id }) => job_id);
    });

  beforeAll(async () => {
    engine = await ScriptedEngine.start({ objectInfo: builtinObjectInfo() });
    engine.onPrompt(play);
    env = { HEDDLE_ENGINE: engine.url, HEDDLE_LOG_LEVEL: 'debug', HEDDLE_WORKERS: '1', HEDDLE_READ_RATE: '1000' };
    heddle = await startKeyed(env);
    key = await heddle.keyOf('acme');
    await heddle.admin('POST', 'deployments', { label: 'alpha', slots: 1, environment: { engine: engine.url } });
    await eventually('the deployment to be ready', async () => {
      const { status } = (await heddle.admin('GET', 'deployments/alpha')) as { readonly status: string };
      return status === 'ready';
    });
  }, 120_000);
  afterAll(async () => {
    await heddle?.stop();
    await engine?.close();
  });

  it('has jobs that wait, run and ended in every way', { timeout: 60_000 }, async () => {
    for (const served of SERVED) {
      await submit(served, 'succeeded');
      await reached(served, 'succeeded', 'succeeded');
      await submit(served, 'failed');
      expect((await reached(served, 'failed', 'failed')).error!.message).toContain('401');
    }
    for (const served of SERVED) {
      await submit(served, 'running');
      await reached(served, 'running', 'running');
      for (const name of ['canceled', 'waiting'] as const) await submit(served, name);
      expect((await jobOf(served, 'waiting')).status).toBe('queued');
      await ask(served, 'POST', `/api/v2/jobs/${jobs.get(`${served} canceled`)}/cancel`);
      await reached(served, 'canceled', 'canceled');
    }
    await eventually('the run', () => promptsWith(credentialOf('managed', 'running')) === 1);
    const expected = ['running', 'waiting'].map((name) => jobs.get(`managed ${name}`)!);
    expect(await sealed()).toEqual(expected.sort());
  });

  it('finds them in no answer, log line, metric or answer of the admin API', async () => {
    for (const served of SERVED) {
      for (const target of ['/api/v2/jobs?limit=100', '/api/v2/openapi.json', '/']) await ask(served, 'GET', target);
      for (const name of CASES) {
        const path = `/api/v2/jobs/${jobs.get(`${served} ${name}`)}`;
        await ask(served, 'GET', `${path}/workflow`);
        await ask(served, 'GET', `${path}/logs`);
        // The stream of a job that has not ended stays open.
        if (name !== 'running' && name !== 'waiting') await ask(served, 'GET', `${path}/events`);
      }
      const refused = { workflow: {}, extra_data: { api_key_partner_org: [canary.text], other: canary.text } };
      expect((await ask(served, 'POST', '/api/v2/jobs', refused)).status).toBe(422);
    }
    for (const path of ['accounts', 'accounts/acme', 'deployments', 'deployments/alpha', 'credits/acme']) {
      said.push(JSON.stringify(await heddle.admin('GET', path)));
    }
    for (const target of ['/metrics', '/readyz'])
      said.push(textOf(await send(heddle.opsUrl, { method: 'GET', target })));
    said.push(heddle.stdout(), heddle.stderr());
    expect(said.filter((text) => canary.isIn(text))).toEqual([]);
    expect(said.filter((text) => decoy.isIn(text)).length).toBeGreaterThan(5);
  });

  it('finds them in no table and no file, where it finds what a job says openly', { timeout: 60_000 }, async () => {
    const [tables, files] = [await canary.tables(heddle.dataDir), await canary.files(heddle.dataDir)];
    expect([tables.hits, files.hits]).toEqual([[], []]);
    const [openTables, openFiles] = [await decoy.tables(heddle.dataDir), await decoy.files(heddle.dataDir)];
    expect(openTables.hits).toContain('jobs.job');
    expect(openFiles.hits.join()).toMatch(/pg_wal/);
  });

  it('leaves no memory to a core dump', async () => {
    expect((await readFile(`/proc/${heddle.pid}/coredump_filter`, 'utf8')).trim()).toBe('00000000');
  });

  it(
    'survives kills before the lease, after it and during the run: managed runs each once',
    { timeout: 90_000 },
    async () => {
      const first = heddle;
      await first.kill9();
      await engine.restart(0);
      const settings = { HEDDLE_SURFACE: 'managed', HEDDLE_DEPLOYMENT_HOST: DEPLOYMENT_HOST, ...env };
      const kept = { dataDir: first.dataDir, port: first.port };
      const failpoints = { HEDDLE_FAILPOINTS: 'jobs.lease.after-commit=kill@1' };
      const doomed = await startStandalone({ ...kept, env: { ...settings, ...failpoints } }).catch((error: unknown) => {
        if (error instanceof NotStarted) return { ended: Promise.resolve(error.ending) };
        throw error;
      });
      expect((await doomed.ended).signal).toBe('SIGKILL');
      const again = await startKeyed(env, kept);
      heddle = { ...again, stop: async () => void (await again.stop(), await first.stop()) };

      await reached('managed', 'waiting', 'succeeded');
      expect(promptsWith(credentialOf('managed', 'waiting'))).toBe(1);
      // It had begun: the partner may have charged for it.
      expect((await reached('managed', 'running', 'failed')).error!.code).toBe('worker_lost');
      expect(promptsWith(credentialOf('managed', 'running'))).toBe(1);

      expect((await reached('dedicated', 'waiting', 'failed')).error!.code).toBe('credential_lost');
      expect(promptsWith(credentialOf('dedicated', 'waiting'))).toBe(0);
      expect((await reached('dedicated', 'running', 'failed')).error!.code).toBe('worker_lost');
      expect(await sealed()).toEqual([]);
      expect(canary.isIn(heddle.stderr())).toBe(false);
    },
  );
});
