import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';

const PAGES = resolve(fileURLToPath(import.meta.url), '../../../../../docs/analysis');
const DATA = join(PAGES, 'data');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-questions-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const questions = (await readdir(PAGES)).filter((name) => /^\d\d-.*\.md$/.test(name));
const partOf = (page: string, part: RegExp): string => part.exec(page)![1]!;

it('the data of the worked questions verify themselves, and hold every way to end', async () => {
  const { code, out } = await heddleInProcess(['history', 'verify', '--from', DATA, '--json']);
  expect([code, JSON.parse(out)]).toMatchObject([0, { ok: true, jobs: 288, outputs: 211 }]);
  const ends = await heddleInProcess([
    ...['history', 'query', '--from', DATA, '--json'],
    'select list(distinct status order by status) as s, bool_or(attempts > 1) as r from jobs',
  ]);
  expect(JSON.parse(ends.out)).toEqual({ s: ['canceled', 'expired', 'failed', 'succeeded'], r: true });
});

it('there are ten', () => expect(questions).toHaveLength(10));

it.each(questions)('%s: the query gives the answer and the picture of the page', async (name) => {
  const page = await readFile(join(PAGES, name), 'utf8');
  const sql = partOf(page, /```sql\n([^]*?)\n```/);
  const answer = await heddleInProcess(['history', 'query', '--from', DATA, '--format', 'table', sql]);
  expect([answer.code, answer.err, answer.out.trimEnd()]).toEqual([0, '', partOf(page, /```text\n([^]*?)\n```/)]);
  const picture = name.replace(/md$/, 'svg');
  const drawn = join(folder, picture);
  const chart = partOf(page, /<!-- chart: (.*) -->/).split(' ');
  const said = await heddleInProcess([
    ...['history', 'query', '--from', DATA, '--format', 'svg', '--out', drawn, ...chart],
    sql,
  ]);
  expect([said.code, said.err]).toEqual([0, '']);
  // Not compared by `toBe`: a failure would print both pictures.
  expect((await readFile(drawn, 'utf8')) === (await readFile(join(PAGES, picture), 'utf8')), picture).toBe(true);
});
