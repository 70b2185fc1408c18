import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heddleWithInput, runHeddle, startHeddle } from '../heddle-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
};

let service: Standalone;
let folder: string;
let job: { id: string; created_at: string; completed_at: string };
const history = (...words: string[]) => runHeddle(['history', ...words, '--data', service.dataDir], {});

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  const graph = join(folder, 'graph.json');
  await writeFile(graph, JSON.stringify(GRAPH));
  const { lines } = await runHeddle(['run', graph, '--json'], { HEDDLE_URL: service.url });
  job = lines().at(-1)!['job'] as typeof job;
  // The last event has its number once a follower has seen it.
  await history('follow', '--after', '0', '--type', 'JobSucceeded', '--limit', '1');
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('heddle history as-of', () => {
  it('gives the job of the API without its links at its end, and the queued one at its beginning', async () => {
    const end = await history('as-of', job.completed_at, job.id, '--json');
    const { urls: _, ...wanted } = job as typeof job & { urls: object; outputs: object[] };
    const outputs = wanted.outputs.map((output) => {
      const { url: _url, url_expires_at: _expires, ...rest } = output as Record<string, unknown>;
      return rest;
    });
    const found = JSON.parse(end.out) as { job: Record<string, unknown> };
    expect(found.job).toMatchObject({ ...wanted, progress: found.job['progress'], outputs });
    const first = JSON.parse((await history('as-of', '1', job.id, '--json')).out) as object;
    expect(first).toMatchObject({ seq: 1, at: job.created_at, job: { status: 'queued', version: 1, fence: 0 } });
  });

  it('counts all jobs by status, and writes a line for each', async () => {
    const out = join(folder, 'jobs.ndjson');
    const { code, lines } = await history('as-of', '2', '--out', out, '--json');
    expect([code, lines()]).toMatchObject([0, [{ seq: 2, jobs: 1, by_status: { running: 1, failed: 0 } }]]);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ id: job.id, status: 'running' });
    expect((await history('as-of', '2')).out).toMatch(/^seq 2, \S+: 1 job\n/);
    expect((await history('as-of', '2', '--out', out)).code).toBe(1);
  });

  it('writes a Parquet file with a row per job, which is asked like any other', async () => {
    const out = join(folder, 'jobs.parquet');
    expect((await history('as-of', '2', '--out', out, '--json')).code).toBe(0);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const sql = `select id, status, version::varchar, typeof(created_at), typeof(outputs)[-2:] from read_parquet('${out}')`;
    const rows = (await connection.runAndReadAll(sql)).getRows();
    connection.closeSync();
    instance.closeSync();
    expect(rows).toEqual([[job.id, 'running', '2', 'TIMESTAMP WITH TIME ZONE', '[]']]);
    expect((await readdir(folder)).filter((name) => name.startsWith('jobs.parquet'))).toEqual(['jobs.parquet']);
  });

  it('reads event lines', async () => {
    const shown = await history('show', job.id, '--json');
    const { code, lines } = await heddleWithInput(['history', 'as-of', '2', '--from', '-', '--json'], shown.out);
    expect([code, lines()]).toMatchObject([0, [{ seq: 2, jobs: 1, by_status: { running: 1 } }]]);
    const asked = await heddleWithInput(
      ['history', 'query', 'select status from jobs', '--from', '-', '--json'],
      shown.out,
    );
    expect([asked.code, asked.lines()]).toEqual([0, [{ status: 'succeeded' }]]);
    const bad = await heddleWithInput(['history', 'query', 'select 1', '--from', '-', '--json'], 'x\n');
    expect([bad.code, bad.lines()]).toMatchObject([1, [{ error: { code: 'bad_line' } }]]);
  });

  it.each(['verify', 'as-of 2', 'query values(1)'])('%s: Ctrl-C does not wait for a line', async (words) => {
    const idle = startHeddle(['history', ...words.split(' '), '--from', '-'], {}, undefined, 'pipe');
    // More than a pipe holds: once it is taken, the command reads.
    await new Promise((taken) => idle.child.stdin!.write('\n'.repeat(1_000_000), taken));
    idle.child.kill('SIGINT');
    expect((await idle.ended).code).toBe(130);
  });

  it.each([
    [['as-of', '99999999'], 1, 'no_such_position'],
    [['as-of', '2001-01-01T00:00:00Z'], 1, 'no_such_position'],
    [['as-of', '1', '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10'], 1, 'no_such_position'],
    [['as-of', 'monday'], 2, 'usage'],
    [['as-of'], 2, 'usage'],
    [['as-of', '1', '--out', 'jobs.xls'], 2, 'usage'],
    [['diff', '1'], 2, 'usage'],
    [['diff', '1', '2', '--fold', 'a.mjs'], 2, 'usage'],
    [['diff', '--fold', 'absent.mjs'], 1, 'failed'],
    [['diff', '2', '99999999'], 1, 'no_such_position'],
  ])('%j ends with %d, %s', async (words, code, error) => {
    const ended = await history(...words, '--json');
    expect([ended.code, ended.lines().at(-1)]).toMatchObject([code, { event: 'error', error: { code: error } }]);
  });
});

describe('heddle history diff', () => {
  it('prints what changed, and the positions at last', async () => {
    const { code, lines } = await history('diff', '1', job.completed_at, '--json');
    expect(code).toBe(0);
    expect(lines()).toMatchObject([
      { job_id: job.id, change: 'changed', fields: { status: ['queued', 'succeeded'] } },
      { seq_a: 1, added: 0, removed: 0, changed: 1 },
    ]);
  });

  it('runs the evolve of another build, and ends with 1 where it disagrees', async () => {
    const file = join(folder, 'evolve.mjs');
    const domain = new URL('../../../../libs/jobs/domain/dist/index.js', import.meta.url).href;
    await writeFile(file, `export { evolve } from '${domain}';`);
    expect(await history('diff', '--fold', file)).toMatchObject({ code: 0, out: 'both builds fold the log alike\n' });
    await writeFile(join(folder, 'other.mjs'), 'export const evolve = (state) => state;');
    const { code, lines } = await history('diff', '--fold', join(folder, 'other.mjs'), '--json');
    expect(code).toBe(1);
    expect(lines()).toContainEqual({ job_id: job.id, version: 1, field: 'status', here: 'queued', there: null });
  });
});
