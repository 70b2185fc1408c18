import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from '@heddle/platform-database';
import { eventually, expectStatus, jsonOf, openEventStream, textGraph } from '@heddle/testing-api';
import type { EventStream, Job } from '@heddle/testing-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENT_HOST, startKeyed } from './keyed-heddle.js';
import type { KeyedHeddle } from './keyed-heddle.js';

const REQUESTS = 100;
/** Far below the time that a cached key is believed, far above what a busy machine needs. */
const SOON_MS = 10_000;

describe('the surfaces with keys', () => {
  let heddle: KeyedHeddle;
  beforeAll(async () => {
    // Jobs wait, so their streams stay open. A key is believed for longer than the test takes.
    heddle = await startKeyed({ HEDDLE_WORKERS: '0', HEDDLE_KEY_CACHE_S: '30' });
    await heddle.admin('POST', 'accounts', { name: 'payer' });
  }, 60_000);
  afterAll(() => heddle.stop());

  /** A stream of a waiting job, opened with a new key. */
  async function opened(account: string, more = {}): Promise<{ key: string; target: string; stream: EventStream }> {
    const key = await heddle.keyOf(account, more);
    const body = JSON.stringify({ workflow: textGraph() });
    const { id } = jsonOf<Job>(
      expectStatus(await heddle.ask(key, { method: 'POST', target: '/api/v2/jobs', body }), 201),
    );
    const target = `/api/v2/jobs/${id}/events`;
    const stream = await openEventStream(`${heddle.url}${target}`, { authorization: `Bearer ${key}` });
    await stream.until('the first frame', () => true);
    return { key, target, stream };
  }

  const endsSoon = async (stream: EventStream): Promise<void> => {
    await stream.all(SOON_MS);
    // No end was told; the place in the queue may have been told twice.
    expect(new Set(stream.frames.map(({ data }) => data['status']))).toEqual(new Set(['queued']));
  };

  it('end an event stream with its key and its account, and refuse the next one; others go on', async () => {
    const other = await opened('other');
    const revoked = await opened('revoked');
    const suspended = await opened('suspended');
    const expiring = await opened('expiring', { expires_in: 3 });

    await heddle.admin('POST', `keys/${revoked.key.split('_')[1]}/revoke`);
    await heddle.admin('POST', 'accounts/suspended/suspend');
    for (const { stream } of [revoked, suspended, expiring]) await endsSoon(stream);

    for (const [{ key, target }, status] of [
      [revoked, 401],
      [expiring, 401],
      [suspended, 403],
    ] as const) {
      expectStatus(await heddle.ask(key, { method: 'GET', target }), status);
    }
    const cancel = other.target.replace('/events', '/cancel');
    expectStatus(await heddle.ask(other.key, { method: 'POST', target: cancel }), 200);
    const frames = await other.stream.all(SOON_MS);
    expect(frames.at(-1)?.data['status']).toBe('canceled');
  });

  it('give its place back when they end a stream', async () => {
    await heddle.admin('POST', 'accounts', { name: 'narrow', limits: { streams: 1 } });
    const { key, stream } = await opened('narrow');
    const { target } = await opened('other');
    await heddle.admin('POST', `keys/${key.split('_')[1]}/revoke`);
    await endsSoon(stream);
    const again = await heddle.keyOf('narrow');
    // Not its job: 404 is told only to who got a place.
    await eventually('the place is free', async () => {
      const { status } = await heddle.ask(again, { method: 'GET', target });
      return status === 404 ? true : null;
    });
  });

  it('list a ledger in parts, as every list of the admin API', async () => {
    interface Part {
      readonly entries: readonly { readonly entry_id: number; readonly amount: number }[];
      readonly next: string | null;
    }
    for (const amount of [5, 6, 7]) await heddle.admin('POST', 'credits/payer/grant', { amount });
    const part = async (query: string): Promise<Part> =>
      (await heddle.admin('GET', `credits/payer/ledger${query}`)) as Part;
    const first = await part('?limit=2');
    expect(first).toMatchObject({ entries: [{ amount: 5 }, { amount: 6 }], next: String(first.entries[1]!.entry_id) });
    const names = ['entry_id', 'at', 'kind', 'amount', 'balance', 'job_id', 'task_id', 'charged', 'note'];
    expect(Object.keys(first.entries[0]!)).toEqual(names);
    expect(await part(`?limit=2&after=${first.next}`)).toMatchObject({ entries: [{ amount: 7 }], next: null });
    await expect(part('?limit=1001')).rejects.toThrow('422');
    await expect(part('?after=soon')).rejects.toThrow('after must be the id of an entry');
  });

  it('route a request by its host without a statement of its own', async () => {
    const host = `counted.${DEPLOYMENT_HOST}`;
    await heddle.admin('POST', 'deployments', { label: 'counted', provider: 'external' });
    const key = await heddle.keyOf('other');
    const read = async (): Promise<unknown> =>
      expectStatus(await heddle.ask(key, { method: 'GET', target: '/api/v2/jobs?limit=1', host }), 200);
    await eventually(
      'the host is known',
      async () =>
        await read()
          .then(() => true)
          .catch(() => null),
    );
    const statements = await loggedStatements(heddle.dataDir, async () => {
      for (let n = 0; n < REQUESTS; n++) await read();
    });
    const about = (table: RegExp): number => statements.filter((line) => table.test(line)).length;
    expect(about(/from jobs\.job/)).toBeGreaterThanOrEqual(REQUESTS);
    // In the background the looks and the directory read what changed, and replicas write that they are there.
    const own = statements.filter((line) => !/pg_snapshot_xmin|insert into|delete from/.test(line));
    expect(own.filter((line) => /deployments\.(deployment|pool|replica)\b/.test(line))).toEqual([]);
    expect(about(/accounts\.api_key/)).toBeLessThan(REQUESTS / 2);
  });
});

/** The statements that the database executes while `work` runs, one line each. */
async function loggedStatements(dataDir: string, work: () => Promise<void>): Promise<readonly string[]> {
  const server = new PostgresServer({ dataDir });
  const owner = new pg.Client({ connectionString: server.url(server.running()!.port, 'heddle') });
  const log = (): string => readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8');
  const setTo = async (value: string): Promise<void> => {
    await owner.query(`alter system set log_min_duration_statement = ${value}`);
    await owner.query('select pg_reload_conf()');
  };
  await owner.connect();
  try {
    await setTo('0');
    await eventually('statements are logged', () => Promise.resolve(log().includes('duration: ') ? true : null));
    const before = log().length;
    await work();
    // Statements of several lines are one entry, whose further lines begin with a tab.
    return log().slice(before).replaceAll('\n\t', ' ').split('\n');
  } finally {
    await setTo('-1');
    await owner.end();
  }
}
