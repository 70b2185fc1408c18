import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
};

let service: Standalone;
let folder: string;
let out: string;
let jobId: string;
const history = (...words: string[]) => heddleInProcess(['history', ...words]);
const ask = (...words: string[]) => history('query', '--from', out, ...words);
const rows = async (sql: string, ...words: string[]): Promise<Record<string, unknown>[]> => {
  const { code, out: text, err } = await ask(sql, '--json', ...words);
  expect([code, err]).toEqual([0, '']);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** The types of the columns of a Parquet file, as another reader sees them. */
const describedBy = async (file: string): Promise<string[]> => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`describe select * from read_parquet('${file}')`);
  connection.closeSync();
  instance.closeSync();
  return found.getRows().map(([, type]) => String(type));
};

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  out = join(folder, 'export');
  await writeFile(join(folder, 'graph.json'), JSON.stringify(GRAPH));
  const ran = await heddleInProcess(['run', join(folder, 'graph.json'), '--json'], { HEDDLE_URL: service.url });
  const last = JSON.parse(ran.out.trim().split('\n').at(-1)!) as { job: { id: string } };
  jobId = last.job.id;
  await history('follow', '--after', '0', '--type', 'JobSucceeded', '--limit', '1', '--data', service.dataDir);
  expect((await history('export', '--out', out, '--segment', '3', '--data', service.dataDir)).code).toBe(0);
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('heddle history query', () => {
  it('has the rows of a job that show --summary has', async () => {
    const { out: text } = await history('show', jobId, '--summary', '--json', '--from', out);
    const summary = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
    expect(await rows('select * from attempts')).toEqual(summary['attempts']);
    expect(await rows('select * from node_runs order by position')).toEqual(summary['node_runs']);
    expect(await rows('select * from outputs')).toEqual(summary['outputs']);
    expect(await rows('select * from jobs')).toMatchObject([
      {
        job_id: jobId,
        status: 'succeeded',
        queue_ms: summary['queue_ms'],
        execution_ms: summary['execution_ms'],
        submitted_at: summary['submitted_at'],
        attempts: 1,
        nodes_total: 2,
        outputs: 1,
        labels: {},
        purged_at: null,
      },
    ]);
    expect(await rows('select * from workers')).toMatchObject([{ attempts: 1, jobs: 1, lost: 0 }]);
    expect(await rows('select * from accounts_daily')).toMatchObject([
      { submitted: 1, succeeded: 1, failed: 0, outputs: 1 },
    ]);
  });

  it('takes parameters, a file, and every kind of question', async () => {
    const byParam = await rows('select count(*) as n from events where job_id = $id', '--param', `id=${jobId}`);
    expect(byParam[0]!['n']).toBeGreaterThan(4);
    await writeFile(
      join(folder, 'q.sql'),
      '-- how many\nwith a as (select 9007199254740993 as big) select big from a;\n',
    );
    expect(JSON.parse((await ask('--file', join(folder, 'q.sql'), '--json')).out)).toEqual({ big: '9007199254740993' });
    for (const sql of [
      'values (1)',
      'describe jobs',
      'show tables',
      'explain select 1',
      'explain analyze select 1',
      '(select 1)',
    ])
      expect((await ask(sql)).code, sql).toBe(0);
  });

  it('prints CSV whose cells begin no formula, tables that move no cursor, and writes files', async () => {
    const sql = `select '=1+1' as a, '-5' as b, '@x,y' as c, chr(27) || '[2Jred' || chr(8238) as d`;
    expect((await ask(sql, '--format', 'csv')).out).toBe(`a,b,c,d\n'=1+1,-5,"'@x,y",\\u001b[2Jred\\u202e\n`);
    const more = `select '+x' as a, '-x' as b, chr(9) || 'x' as c, '5' as d, '=' as "=e", '+3' as f`;
    expect((await ask(more, '--format', 'csv')).out).toBe(`a,b,c,d,'=e,f\n'+x,'-x,'\tx,5,'=,+3\n`);
    expect((await ask(sql, '--format', 'table')).out).toMatch(/^a +b +c +d\n=1\+1 +-5 +@x,y +red\n$/);
    const file = join(folder, 'rows.csv');
    expect((await ask('select 1 as one', '--format', 'csv', '--out', file)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('one\n1\n');
    expect((await ask('select 2', '--out', file)).code).toBe(1);
    expect(await readFile(file, 'utf8')).toBe('one\n1\n');
  });

  it('writes Parquet with the types of the columns, whichever kind of question it is', async () => {
    const file = join(folder, 'rows.parquet');
    const sql = 'select job_id, submitted_at, attempts, labels from jobs where attempts = $n -- all';
    expect(await ask(sql, '--param', 'n=1', '--format', 'parquet', '--out', file)).toMatchObject({ code: 0, err: '' });
    const types = await describedBy(file);
    expect(types).toEqual(['VARCHAR', 'TIMESTAMP WITH TIME ZONE', 'BIGINT', 'MAP(VARCHAR, VARCHAR)']);
    const described = join(folder, 'described.parquet');
    expect((await ask('describe jobs', '--format', 'parquet', '--out', described)).code).toBe(0);
    expect(await describedBy(described)).toContain('VARCHAR');
  });

  it('draws charts, and keeps the question in the SVG', async () => {
    const sql = 'select dt, status, count(*) as jobs from jobs, (select current_date as dt) group by all';
    for (const mark of ['line', 'bar', 'area', 'point']) {
      const svg = join(folder, `${mark}.svg`);
      expect(await ask(sql, '--format', 'svg', '--out', svg, '--chart', mark)).toMatchObject({ code: 0, err: '' });
      expect(await readFile(svg, 'utf8')).toContain(`<desc>${sql}</desc>`);
    }
    // Words of a success are for a person: a script knows the path.
    const shown = join(folder, 'shown.svg');
    const words = ['history', 'query', '--from', out, sql, '--format', 'svg', '--out', shown];
    expect(await heddleInProcess(words, {}, 80)).toMatchObject({ code: 0, out: `${shown}\n` });
    const png = join(folder, 'chart.png');
    expect((await ask(sql, '--format', 'png', '--out', png, '--x', 'status', '--y', 'jobs')).code).toBe(0);
    expect((await readFile(png)).subarray(1, 4).toString()).toBe('PNG');
  });

  it.each([
    [['select 1 as n', '--x', 'cost'], 1, '--x cost: the query has no such column; it has n (number)'],
    [["select 'a' as a, 'b' as b"], 1, 'a chart needs a column for x and one of numbers for y'],
    [['select nope from jobs'], 1, 'nope'],
    [['drop view jobs'], 2, 'the query must be one SELECT'],
    [['select 1 as n where false'], 1, 'a chart needs a column for x'],
    [['select 1 as n, 2 as m where false'], 1, 'the query has no rows'],
  ])('a chart of %j ends with %d and leaves no file', async (words, code, message) => {
    const file = join(folder, 'none.svg');
    const said = await ask(...words, '--format', 'svg', '--out', file);
    expect(said).toMatchObject({ code, err: expect.stringContaining(message) as string });
    expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
  });

  it('answers over a snapshot of a database, and leaves none behind', async () => {
    const temporary = await mkdtemp(join(folder, 'temporary-'));
    vi.stubEnv('TMPDIR', temporary);
    const { code, out: text } = await history(
      'query',
      'select count(*) as n from jobs',
      '--json',
      '--data',
      service.dataDir,
    );
    expect([code, JSON.parse(text)]).toEqual([0, { n: 1 }]);
    vi.unstubAllEnvs();
    expect(await readdir(temporary)).toEqual([]);
  });

  it('names a column that is not there: the question is one, and fails', async () => {
    const { code, out: text } = await ask('select statu from jobs', '--json');
    expect([code, JSON.parse(text)]).toMatchObject([1, { error: { code: 'sql_failed' } }]);
    const { err } = await ask('select statu from jobs');
    expect(err).toMatch(
      /^heddle: Binder Error: Referenced column "statu" not found in FROM clause! Candidate bindings: "\w+"\n$/,
    );
    expect(err).not.toMatch(/LINE 1|\^/);
  });

  it.each([
    ['', 'it is empty'],
    [' -- a comment', 'it is empty'],
    ['selct 1', 'it begins with "selct"'],
    ['drop view jobs', 'it begins with "drop"'],
  ])('says what is wrong with %j', async (sql, why) => {
    const { code, err } = await ask(sql);
    expect([code, err.trim()]).toEqual([
      2,
      `heddle: the query must be one SELECT, WITH, VALUES, DESCRIBE, SHOW or EXPLAIN: ${why}`,
    ]);
  });

  it('explains only the SELECT that it has judged: the engine nests comments, most readers of SQL do not', async () => {
    const before = await readFile(join(out, 'manifest.json'), 'utf8');
    const target = join(out, 'manifest.json');
    const sql = `explain /* /* */ select 1 -- */ analyze copy (select 1) to '${target}' (use_tmp_file false)`;
    expect((await ask(sql, '--json')).out).toContain('explain_value');
    expect(await readFile(target, 'utf8')).toBe(before);
  });

  it.each([
    ['create table t (a int)'],
    ["copy (select 1) to 'x.csv'"],
    ["copy (select * from events) to 'EXPORT/manifest.json'"],
    ["explain analyze copy (select 1) to 'EXPORT/manifest.json'"],
    ["attach 'x.db'"],
    ["load 'httpfs'"],
    ['install httpfs'],
    ["set memory_limit = '4GB'"],
    ['pragma memory_limit = 1'],
    ['insert into events values (1)'],
    ['with a as (select 1) delete from events'],
    ['call pragma_version()'],
    ['select 1; select 2'],
    ['select 1; drop view jobs'],
    ['selec 1'],
    [''],
  ])('refuses %j and changes nothing', async (sql) => {
    const before = await readFile(join(out, 'manifest.json'), 'utf8');
    const { code, out: text } = await ask(sql.replace('EXPORT', out), '--json');
    expect([code, JSON.parse(text)]).toMatchObject([2, { error: { code: 'sql_refused' } }]);
    expect(await readFile(join(out, 'manifest.json'), 'utf8')).toBe(before);
    expect(existsSync('x.csv') || existsSync('x.db')).toBe(false);
  });

  it.each([
    [`select * from read_text('/etc/passwd')`],
    [`select * from read_csv('/etc/passwd')`],
    [`select * from glob('/etc/*')`],
    [`select * from '/etc/passwd'`],
  ])('reads no other file: %j', async (sql) => {
    const { code, out: text } = await ask(sql, '--json');
    expect([1, 2]).toContain(code);
    expect(text).not.toContain('root:');
    expect(JSON.parse(text)).toMatchObject({ event: 'error' });
  });

  it('names a parameter that the query does not have, and those that it has', async () => {
    const said = async (sql: string): Promise<string> => (await ask(sql, '--param', 'x=1')).err;
    expect(await said('select 1')).toContain('the query has no parameter $x; it has no parameters');
    expect(await said('select $a::int + $b::int')).toContain('the query has no parameter $x; it has $a, $b');
  });

  it('stops a query that takes too long or needs too much memory', async () => {
    const endless = 'select count(*) from range(10000000000) a, range(10000000000) b';
    const late = await ask(endless, '--json', '--timeout-s', '0.3');
    expect([late.code, JSON.parse(late.out)]).toMatchObject([1, { error: { code: 'sql_limit' } }]);
    const large = await ask('select list(a) from range(200000000) t(a)', '--json', '--memory', '50MB');
    expect([large.code, JSON.parse(large.out)]).toMatchObject([1, { error: { code: 'sql_limit' } }]);
    // The engine does not count a text that a function makes: the process is killed.
    const uncounted = await ask("select repeat('x', 1500000000) as a", '--json', '--memory', '50MB');
    expect([uncounted.code, JSON.parse(uncounted.out)]).toMatchObject([1, { error: { code: 'sql_limit' } }]);
    const wrong = await ask("select 'a'::int", '--json');
    expect([wrong.code, JSON.parse(wrong.out)]).toMatchObject([1, { error: { code: 'sql_failed' } }]);
  });

  it.each([
    [['--format', 'xls', 'select 1']],
    [['--format', 'svg', 'select 1']],
    [['--format', 'parquet', 'select 1']],
    [['--format', 'png', '--out', '', 'select 1']],
    [['--chart', 'line', 'select 1']],
    [['--format', 'svg', '--out', 'x.svg', '--chart', 'pie', 'select 1']],
    [['--x', 'a', '--format', 'csv', 'select 1 as a']],
    [['--param', 'a=1', '--param', 'a=2', 'select $a']],
    [['--param', 'x=1', 'select 1']],
    [['--timeout-s', '3601', 'select 1']],
    [['--timeout-s', '0', 'select 1']],
    [['--memory', 'lots', 'select 1']],
    [['--param', 'x', 'select 1']],
    [[]],
  ])('%j is wrong usage', async (words) => {
    expect((await ask(...words)).code).toBe(2);
  });
});
