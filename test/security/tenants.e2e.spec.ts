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
import { startKeyed } from './keyed-heddle.js';
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

  async function upload(key: string, host?: string): Promise<Asset> {
    const bytes = Buffer.from(randomUUID());
    const body = multipart(uploadParts({ bytes, content_type: 'text/plain', file_path: 'a.txt' }));
    const headers = { 'content-type': body.contentType };
    const sent = { method: 'POST', target: '/api/v2/assets', headers, body: body.bytes };
    return jsonOf<Asset>(expectStatus(await heddle.ask(key, { ...sent, ...(host && { host }) }), 201));
  }

  async function submit(key: string, host?: string): Promise<Job> {
    const body = JSON.stringify({ workflow: textGraph() });
    const sent = { method: 'POST', target: '/api/v2/jobs', body };
    return jsonOf<Job>(expectStatus(await heddle.ask(key, { ...sent, ...(host && { host }) }), 201));
  }

  beforeAll(async () => {
    heddle = await startKeyed();
    alice = await heddle.keyOf('alice');
    bob = await heddle.keyOf('bob');
    const asset = await upload(alice);
    const job = await submit(alice);
    own = { job: job.id, asset: asset.id, hash: asset.hash ?? '' };
    await eventually('the end of the job', async () => {
      const now = jsonOf<Job>(await heddle.ask(alice, { method: 'GET', target: `/api/v2/jobs/${job.id}` }));
      return now.status === 'succeeded' ? now : null;
    });
  }, 120_000);
  afterAll(() => heddle.stop());

  it('has a row for every route', () => {
    const operations = ROUTES.map(({ operation }) => operation);
    expect(operations.filter((operation) => !(operation in ROWS))).toEqual([]);
  });

  it.each(ROUTES.map(({ operation }) => operation).filter((operation) => ROWS[operation] !== null))(
    'is unknown to %s, byte for byte',
    async (operation) => {
      const row = ROWS[operation]!;
      const foreign = await heddle.ask(bob, row(own));
      const unknown = await heddle.ask(bob, row(UNKNOWN));
      expect(seen(foreign, own)).toBe(seen(unknown, UNKNOWN));
      // Its owner is told something else, or the row would compare two refusals of another kind.
      if (operation !== 'deleteAsset')
        expect(seen(await heddle.ask(alice, row(own)), own)).not.toBe(seen(foreign, own));
    },
  );

  it('is in no list, and its idempotency key is free', async () => {
    const list = jsonOf<{ jobs: Job[] }>(await heddle.ask(bob, { method: 'GET', target: '/api/v2/jobs' }));
    expect(list.jobs).toEqual([]);
    const submission = { method: 'POST', target: '/api/v2/jobs', body: JSON.stringify({ workflow: textGraph() }) };
    const headers = { 'idempotency-key': randomUUID() };
    for (const key of [alice, bob]) expectStatus(await heddle.ask(key, { ...submission, headers }), 201);
    expectStatus(await heddle.ask(alice, { ...submission, headers }), 422);
  });
});
