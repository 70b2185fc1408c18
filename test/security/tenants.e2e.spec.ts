import { randomUUID } from 'node:crypto';
import { ROUTES } from '@heddle/contracts-api-v2';
import {
  assetReference,
  eventually,
  expectStatus,
  jsonOf,
  loadGraph,
  multipart,
  textGraph,
  uploadParts,
} from '@heddle/testing-api';
import type { Answer, Asset, Job, Sent } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENT_HOST, startKeyed } from './keyed-heddle.js';
import type { KeyedHeddle } from './keyed-heddle.js';

interface Ids {
  readonly job: string;
  readonly asset: string;
  readonly hash: string;
}

const UNKNOWN: Ids = { job: randomUUID(), asset: randomUUID(), hash: `blake3:${'0'.repeat(64)}` };
/** How each operation names something of another tenant. Null: it names nothing. A route without a row fails. */
const ROWS: Readonly<Record<string, ((ids: Ids) => Sent) | null>> = {
  uploadAsset: null,
  mintAssetFromHash: ({ hash }) => ({
    method: 'POST',
    target: '/api/v2/assets/from-hash',
    body: JSON.stringify({ hash, file_path: 'x.bin' }),
  }),
  checkAssetHash: ({ hash }) => ({ method: 'HEAD', target: `/api/v2/assets/by-hash/${hash}` }),
  getAsset: ({ asset }) => ({ method: 'GET', target: `/api/v2/assets/${asset}` }),
  // A signed URL needs no credential: whoever has it may read (accounts, Signed URL).
  readSignedContent: null,
  deleteAsset: ({ asset }) => ({ method: 'DELETE', target: `/api/v2/assets/${asset}` }),
  getAssetContent: ({ asset }) => ({ method: 'GET', target: `/api/v2/assets/${asset}/content` }),
  submitJob: ({ asset }) => ({
    method: 'POST',
    target: '/api/v2/jobs',
    body: JSON.stringify({ workflow: loadGraph(assetReference(asset)) }),
  }),
  listJobs: null,
  getJob: ({ job }) => ({ method: 'GET', target: `/api/v2/jobs/${job}` }),
  cancelJob: ({ job }) => ({ method: 'POST', target: `/api/v2/jobs/${job}/cancel` }),
  getJobWorkflow: ({ job }) => ({ method: 'GET', target: `/api/v2/jobs/${job}/workflow` }),
  getJobLogs: ({ job }) => ({ method: 'GET', target: `/api/v2/jobs/${job}/logs` }),
  streamJobEvents: ({ job }) => ({ method: 'GET', target: `/api/v2/jobs/${job}/events` }),
  getOpenApiDocument: null,
};

const MANAGED = '127.0.0.1';
/** Open to all accounts; alice's own. */
const [ALPHA, OWNED] = [`alpha.${DEPLOYMENT_HOST}`, `owned.${DEPLOYMENT_HOST}`];
const JOB_OPERATIONS = ['getJob', 'cancelJob', 'getJobWorkflow', 'getJobLogs', 'streamJobEvents'];

/** What a client can compare: all but the request's id and the time, with the asked ids masked. */
function seen({ status, headers, bytes }: Answer, ids: Ids): string {
  const kept = Object.entries(headers).filter(([name]) => !['x-request-id', 'date'].includes(name));
  const masked = [ids.job, ids.asset, ids.hash].reduce((text, id) => text.replaceAll(id, '<id>'), bytes.toString());
  return JSON.stringify([status, kept, masked]);
}

describe('what belongs to another tenant', () => {
  let heddle: KeyedHeddle;
  let [alice, bob] = ['', ''];
  let own: Ids;
  /** A job of alice for each host. */
  let jobs: Readonly<Record<string, string>> = {};

  async function uploadOf(key: string, bytes: Buffer, file_path = 'a.txt'): Promise<Answer> {
    const body = multipart(uploadParts({ bytes, content_type: 'text/plain', file_path }));
    const headers = { 'content-type': body.contentType };
    return await heddle.ask(key, { method: 'POST', target: '/api/v2/assets', headers, body: body.bytes });
  }

  async function submit(key: string, host?: string): Promise<Job> {
    const body = JSON.stringify({ workflow: textGraph() });
    const sent = { method: 'POST', target: '/api/v2/jobs', body };
    return jsonOf<Job>(expectStatus(await heddle.ask(key, { ...sent, ...(host && { host }) }), 201));
  }

  async function ended(job: string, host?: string): Promise<void> {
    await eventually(`the end of job ${job}`, async () => {
      const sent = { method: 'GET', target: `/api/v2/jobs/${job}`, ...(host && { host }) };
      return jsonOf<Job>(await heddle.ask(alice, sent)).status === 'succeeded' ? true : null;
    });
  }

  async function deploymentIn(status: string, label: string): Promise<void> {
    await eventually(`${label} is ${status}`, async () => {
      const now = (await heddle.admin('GET', `deployments/${label}`)) as { readonly status: string };
      return now.status === status ? now : null;
    });
  }

  beforeAll(async () => {
    heddle = await startKeyed();
    alice = await heddle.keyOf('alice');
    bob = await heddle.keyOf('bob');
    const asset = jsonOf<Asset>(expectStatus(await uploadOf(alice, Buffer.from(randomUUID())), 201));
    const job = await submit(alice);
    own = { job: job.id, asset: asset.id, hash: asset.hash ?? '' };
    await ended(job.id);
    await heddle.admin('POST', 'deployments', { label: 'alpha' });
    await heddle.admin('POST', 'deployments', { label: 'owned', account: 'alice' });
    await heddle.admin('POST', 'deployments', { label: 'gone', provider: 'external' });
    await heddle.admin('POST', 'deployments/gone/drain');
    await deploymentIn('stopped', 'gone');
    await heddle.admin('POST', 'deployments/gone/delete');
    for (const label of ['alpha', 'owned']) await deploymentIn('ready', label);
    jobs = { [MANAGED]: job.id, [ALPHA]: (await submit(alice, ALPHA)).id, [OWNED]: (await submit(alice, OWNED)).id };
    for (const host of [ALPHA, OWNED]) await ended(jobs[host]!, host);
  }, 120_000);
  afterAll(() => heddle.stop());

  it('has a row for every route', () => {
    const operations = ROUTES.map(({ operation }) => operation);
    expect(operations.filter((operation) => !(operation in ROWS))).toEqual([]);
  });

  it.each(ROUTES.map(({ operation }) => operation).filter((operation) => ROWS[operation] !== null))(
    'is unknown to %s, byte for byte [FH10] [AS02] [AS08] [CT12] [JS12] [JB04]',
    async (operation) => {
      const row = ROWS[operation]!;
      const foreign = await heddle.ask(bob, row(own));
      const unknown = await heddle.ask(bob, row(UNKNOWN));
      expect(seen(foreign, own)).toBe(seen(unknown, UNKNOWN));
      // Its owner is told something else, or the row would compare two refusals of another kind.
      const owners = operation === 'deleteAsset' ? ROWS['getAsset']! : row;
      expect(seen(await heddle.ask(alice, owners(own)), own)).not.toBe(seen(foreign, own));
    },
  );

  it('may have the same bytes as an upload, which tells nothing of it and leaves it as it was [UP03]', async () => {
    const bytes = Buffer.from(randomUUID());
    const first = jsonOf<Asset>(expectStatus(await uploadOf(alice, bytes, 'of-alice.txt'), 201));
    const read = async (key: string, id: string): Promise<Answer> =>
      await heddle.ask(key, { method: 'GET', target: `/api/v2/assets/${id}` });
    const answer = await uploadOf(bob, bytes, 'of-bob.txt');
    const second = jsonOf<Asset>(expectStatus(answer, 201));
    expect(second).toMatchObject({ hash: first.hash, file_path: 'of-bob.txt', created_new: true });
    for (const word of [first.id, 'of-alice']) expect(answer.bytes.toString()).not.toContain(word);
    expect(jsonOf<Asset>(expectStatus(await read(bob, second.id), 200)).file_path).toBe('of-bob.txt');
    expect(jsonOf<Asset>(expectStatus(await read(alice, first.id), 200)).file_path).toBe('of-alice.txt');
    expectStatus(await read(alice, second.id), 404);
  });

  it('is in no list, and its idempotency key is free [ID10]', async () => {
    const list = jsonOf<{ jobs: Job[] }>(await heddle.ask(bob, { method: 'GET', target: '/api/v2/jobs' }));
    expect(list.jobs).toEqual([]);
    const submission = { method: 'POST', target: '/api/v2/jobs', body: JSON.stringify({ workflow: textGraph() }) };
    const headers = { 'idempotency-key': randomUUID() };
    for (const key of [alice, bob]) expectStatus(await heddle.ask(key, { ...submission, headers }), 201);
    expectStatus(await heddle.ask(alice, { ...submission, headers }), 422);
  });

  it.each(JOB_OPERATIONS)('is unknown to %s through the host of another deployment', async (operation) => {
    const asked = async (key: string, host: string, job: string): Promise<string> => {
      const ids = { ...UNKNOWN, job };
      return seen(await heddle.ask(key, { ...ROWS[operation]!(ids), host }), ids);
    };
    for (const [from, through] of [
      [ALPHA, MANAGED],
      [ALPHA, OWNED],
      [MANAGED, ALPHA],
      [OWNED, MANAGED],
      [OWNED, ALPHA],
    ] as const) {
      const unknown = await asked(alice, through, UNKNOWN.job);
      expect(unknown).toMatch(/^\[404/);
      expect(await asked(alice, through, jobs[from]!)).toBe(unknown);
      expect(await asked(alice, from, jobs[from]!)).not.toMatch(/^\[404/);
    }
    // Another account has no part in it, where the deployment is open to both.
    expect(await asked(bob, ALPHA, jobs[ALPHA]!)).toBe(await asked(bob, ALPHA, UNKNOWN.job));
  });

  it('is in the list of its own deployment alone', async () => {
    for (const host of [MANAGED, ALPHA, OWNED]) {
      const list = jsonOf<{ jobs: Job[] }>(await heddle.ask(alice, { method: 'GET', target: '/api/v2/jobs', host }));
      const listed = list.jobs.map(({ id }) => id);
      for (const [from, id] of Object.entries(jobs)) expect(listed.includes(id)).toBe(from === host);
    }
  });

  it.each(ROUTES.filter(({ operation }) => operation !== 'readSignedContent'))(
    '$operation answers alike for an unknown host, a deleted deployment and one of another account',
    async ({ method, path }) => {
      const sent = { method, target: path.replaceAll(/\{\w+\}/g, UNKNOWN.job) };
      const hosts = ['gone', 'nobody', 'x.alpha', 'alpha.stg', 'stg'].map((label) => `${label}.${DEPLOYMENT_HOST}`);
      const answers = new Set<string>();
      for (const host of [OWNED, OWNED.toUpperCase(), DEPLOYMENT_HOST, ...hosts, `${ALPHA}..`, 'a b']) {
        answers.add(seen(await heddle.ask(bob, { ...sent, host }), UNKNOWN));
        expect((await heddle.ask(null, { ...sent, host })).status).toBe(401);
      }
      expect(answers.size).toBe(1);
      expect([...answers][0]).toMatch(/^\[404/);
    },
  );

  it('is found by every writing of its host, which links follow', async () => {
    for (const host of [ALPHA, ALPHA.toUpperCase(), `${ALPHA}.`, `${ALPHA}:8443`, `${ALPHA}.:80`, `${ALPHA}:`]) {
      const answer = await heddle.ask(alice, { method: 'GET', target: `/api/v2/jobs/${jobs[ALPHA]}`, host });
      expect(jsonOf<Job>(expectStatus(answer, 200)).urls.self).toBe(`http://${host}/api/v2/jobs/${jobs[ALPHA]}`);
    }
    const target = `/api/v2/jobs/${jobs[ALPHA]}`;
    const headers = { 'x-forwarded-host': ALPHA };
    expectStatus(await heddle.ask(alice, { method: 'GET', target, host: MANAGED, headers }), 404);
  });
});
