import { jsonOf, textGraph } from '@heddle/testing-api';
import type { Job, ListedJob } from '@heddle/testing-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { newKey, useServer, waiting } from './server.js';

describe('GET /api/v2/jobs', () => {
  const server = useServer(waiting);
  const made: Job[] = [];
  const group = newKey();
  beforeAll(async () => {
    for (let i = 0; i < 25; i += 1) {
      const metadata = { group, parity: i % 2 === 0 ? 'even' : 'odd', third: String(i % 3) };
      made.push(await server.client.submitted(textGraph(), { metadata }));
    }
  });
  const newestFirst = (): string[] => made.map((job) => job.id).reverse();
  const filter = (pairs: Record<string, string>): string =>
    Object.entries(pairs)
      .map(([key, value]) => `metadata%5B${encodeURIComponent(key)}%5D=${encodeURIComponent(value)}`)
      .join('&');
  const walk = async (query: string, from = ''): Promise<ListedJob[]> => {
    const found: ListedJob[] = [];
    for (let cursor: string | null = from; cursor !== null;) {
      const page = await server.client.jobPage(
        `?${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      found.push(...page.jobs);
      expect(page.truncated).toBe(page.next_cursor !== null);
      cursor = page.next_cursor;
    }
    return found;
  };

  it('lists the newest first, 50 by default (decisions, List) [LS01]', async () => {
    const page = await server.client.jobPage(`?${filter({ group })}`);
    expect(page.jobs.map((job) => job.id)).toEqual(newestFirst());
    expect(page).toMatchObject({ next_cursor: null, truncated: false });
  });

  it('gives an item as the Job without outputs, progress and error, with the times official clients read (decisions, List)', async () => {
    const item = (await server.client.jobPage(`?${filter({ group })}&limit=1`)).jobs[0]!;
    const job = jsonOf<Job>(await server.client.job(item.id));
    const { create_time, update_time, queue_position: _, ...same } = item;
    const { outputs, progress, error, queue_position: __, ...rest } = job;
    expect(same).toEqual(rest);
    expect([outputs, error]).toEqual([[], null]);
    expect(progress === null || typeof progress === 'object').toBe(true);
    expect(create_time).toBe(job.created_at);
    expect(Date.parse(update_time)).toBeGreaterThanOrEqual(Date.parse(create_time));
  });

  it.each([1, 7, 24, 25, 100])('pages by %i without gaps or repeats (decisions, List) [LS01]', async (limit) => {
    expect((await walk(`${filter({ group })}&limit=${limit}`)).map((job) => job.id)).toEqual(newestFirst());
  });

  it('shows each job once across the pages while new ones arrive (decisions, List) [LS01]', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await server.client.jobPage(
        `?limit=4${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...page.jobs.map((job) => job.id));
      cursor = page.next_cursor;
      await server.client.submitted(textGraph());
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of newestFirst()) expect(seen).toContain(id);
  });

  it('shows each job once while jobs change their status under the pages', async () => {
    const first = await server.client.jobPage(`?${filter({ group })}&limit=5`);
    await server.client.cancel(made[10]?.id ?? '');
    const rest = await walk(`${filter({ group })}&limit=5`, first.next_cursor ?? '');
    expect([...first.jobs, ...rest].map((job) => job.id)).toEqual(newestFirst());
  });

  it('filters by one status or several (decisions, List) [LS01]', async () => {
    const mine = async (status: string): Promise<string[]> =>
      (await walk(`${filter({ group })}&status=${status}`)).map((job) => job.id);
    const extra = await server.client.submitted(textGraph(), { metadata: { group: `${group}-canceled` } });
    await server.client.cancel(extra.id);
    const canceled = (await walk(`${filter({ group: `${group}-canceled` })}&status=canceled`)).map((job) => job.id);
    expect(canceled).toEqual([extra.id]);
    expect(await mine('queued,running,succeeded,canceled')).toEqual(newestFirst());
    expect(await mine('failed,expired')).toEqual([]);
  });

  it('filters by up to three labels, all of which must match (decisions, Labels)', async () => {
    const found = await walk(filter({ group, parity: 'even', third: '0' }));
    expect(found.map((job) => job.id)).toEqual(
      made
        .filter((_, i) => i % 6 === 0)
        .map((job) => job.id)
        .reverse(),
    );
    expect(await walk(filter({ group: 'nobody has this' }))).toEqual([]);
  });

  it('finds a job by its Idempotency-Key, and nothing for an unknown one (decisions, List)', async () => {
    const key = `${newKey()} & = %`.replaceAll(' ', '+');
    const job = await server.client.submitted(textGraph(), { key });
    expect((await walk(`idempotency_key=${encodeURIComponent(key)}`)).map((found) => found.id)).toEqual([job.id]);
    expect(await walk(`idempotency_key=${newKey()}`)).toEqual([]);
  });

  it.each(['x', 'eyJhIjoxfQ', '%00', '0', 'AAAA', '-1', 'x'.repeat(1000)])(
    'answers 400 invalid_cursor to the cursor %s (decisions, List)',
    async (cursor) => {
      expectRefusal(await server.client.jobs(`?cursor=${cursor}`), 400, 'invalid_cursor');
    },
  );

  it('answers 400 invalid_cursor to a cursor that was changed by one character', async () => {
    const { next_cursor } = await server.client.jobPage('?limit=1');
    const middle = Math.floor((next_cursor ?? '').length / 2);
    const changed = [...(next_cursor ?? '')]
      .map((char, i) => (i === middle ? (char === 'A' ? 'B' : 'A') : char))
      .join('');
    const answer = await server.client.jobs(`?cursor=${encodeURIComponent(changed)}`);
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) expectRefusal(answer, 400, 'invalid_cursor');
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'limit=',
    'limit=1e1',
    'limit=1&limit=2',
    'status=nope',
    'status=QUEUED',
    `idempotency_key=`,
    `idempotency_key=${'k'.repeat(256)}`,
  ])('answers 422 invalid_request to ?%s (decisions, List)', async (query) => {
    expectRefusal(await server.client.jobs(`?${query}`), 422, 'invalid_request');
  });

  it.each(['limit=%zz', 'limit=1%', 'cursor=%ff', 'unknown=%c3%28'])(
    'answers 400 bad_request to the unreadable escape ?%s (decisions, Error codes)',
    async (query) => {
      expectRefusal(await server.client.jobs(`?${query}`), 400, 'bad_request');
    },
  );

  it.each([
    'metadata%5B%5D=x',
    'metadata%5Ba%20b%5D=x',
    `metadata%5B${'k'.repeat(65)}%5D=x`,
    'metadata%5Ba%5D=1&metadata%5Bb%5D=2&metadata%5Bc%5D=3&metadata%5Bd%5D=4',
    `metadata%5Ba%5D=${'v'.repeat(513)}`,
    'metadata%5Ba%5D=%07',
    'metadata%5Ba=x',
    'metadata=x',
  ])('answers 400 invalid_metadata_filter to ?%s (decisions, Labels)', async (query) => {
    expectRefusal(await server.client.jobs(`?${query}`), 400, 'invalid_metadata_filter');
  });

  it('ignores a query field that it does not know (Versioning 2)', async () => {
    expect((await server.client.jobs('?later=1')).status).toBe(200);
  });
});
