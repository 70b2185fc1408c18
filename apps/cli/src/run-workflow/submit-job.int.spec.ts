import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

const JOB = { id: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10', status: 'queued', outputs: [] };
const REFUSALS = { 429: 'queue_full', 500: 'upstream_error', 503: 'upstream_error' } as const;

let folder: string;
let service: HostileServer | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  await writeFile(join(folder, 'graph.json'), JSON.stringify({ '1': { class_type: 'EmptyImage', inputs: {} } }));
});

afterEach(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A service that refuses the first submissions and finds no job for any key. */
async function busyFor(refused: number, status: keyof typeof REFUSALS, retryAfter: string): Promise<HostileServer> {
  let submissions = 0;
  service = await hostileServer(({ method }, response) => {
    if (method === 'GET') return sendJson(response, 200, { jobs: [], next_cursor: null });
    submissions += 1;
    if (submissions > refused) return sendJson(response, 201, JOB);
    sendJson(response, status, { error: { code: REFUSALS[status], message: 'Busy.' } }, { 'retry-after': retryAfter });
  });
  return service;
}

const run = (url: string, ...words: string[]) =>
  heddleInProcess(['run', join(folder, 'graph.json'), '--detach', ...words], { HEDDLE_URL: url });

describe('heddle run before a service that takes no jobs now', () => {
  it.each([429, 503] as const)('tries again under the same key after %i', async (status) => {
    const { url, seen } = await busyFor(1, status, '1');
    const { code, out, err } = await run(url);
    expect({ code, out }).toEqual({ code: 0, out: `${JOB.id}\n` });
    expect(err).toContain('trying again in 1.0 s');
    const keys = seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('says once what the service said, and that it tries again', async () => {
    const { url } = await busyFor(3, 500, '1');
    const { code, err } = await run(url);
    expect({ code, err }).toEqual({
      code: 0,
      err: 'heddle: upstream_error: Busy; trying again in 1.0 s\n',
    });
  }, 10_000);

  it('says that the answer was lost only if there was none, once', async () => {
    let submissions = 0;
    service = await hostileServer(({ method }, response) => {
      submissions += method === 'POST' ? 1 : 0;
      if (submissions <= 2 || method === 'GET') return void response.socket?.destroy();
      sendJson(response, 201, JOB);
    });
    const { code, out, err } = await run(service.url, '--json', '--timeout', '2');
    expect(code).toBe(3);
    expect(err.match(/the answer was lost/g)).toHaveLength(1);
    const [retry] = out.split('\n').map((line) => JSON.parse(line || 'null') as unknown);
    expect(retry).toMatchObject({ event: 'retry', reason: 'answer_lost' });
  });

  it('names the job of a used key, also in the error object', async () => {
    service = await hostileServer(({ method, url }, response) => {
      if (method === 'POST')
        return sendJson(response, 422, { error: { code: 'idempotency_key_reuse', message: 'Used.' } });
      sendJson(response, 200, url.includes('?') ? { jobs: [JOB], next_cursor: null } : JOB);
    });
    const { code, out } = await run(service.url, '--json', '--key', 'mine');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      event: 'error',
      error: { code: 'idempotency_key_reuse', job_id: JOB.id, hint: expect.stringContaining(JOB.id) as string },
    });
  });

  it('gives up when --timeout is over, however long it is asked to wait', async () => {
    const { url, seen } = await busyFor(Infinity, 429, '3600');
    const { code, err } = await run(url, '--timeout', '0.5');
    expect(code).toBe(1);
    expect(err).toContain('queue_full');
    // At once, and again at the end of the time.
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });
});
