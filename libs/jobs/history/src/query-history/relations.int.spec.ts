import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askQuestion } from './ask-question.js';
import type { PlainValue } from './plain-value.js';

/** Some 290 jobs that ran: every way to end, retries, cached nodes. */
const DATA = resolve(import.meta.dirname, '../../../../../docs/analysis/data/events');
const RELATIONS = ['attempts', 'node_runs', 'outputs', 'jobs', 'workers', 'accounts_daily'];

let folder: string;
let files: readonly string[];
/** The same events in files whose names do not say that the log begins with them. */
let renamed: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-relations-'));
  const paths = (await readdir(DATA, { recursive: true })).filter((path) => path.endsWith('.parquet'));
  files = paths.map((path) => join(DATA, path));
  renamed = await Promise.all(
    files.map(async (file, at) => {
      await cp(file, join(folder, `${at}.parquet`));
      return join(folder, `${at}.parquet`);
    }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

type Row = Readonly<Record<string, PlainValue>>;

async function ask(sql: string, of = files): Promise<readonly Row[]> {
  const question = { sql, params: {}, timeoutMs: 30_000, memory: '300MB', files: of, parquet: null };
  return await askQuestion(question, new AbortController().signal, async ({ columns, rows }) => {
    const all: Row[] = [];
    for await (const batch of rows())
      all.push(...batch.map((row) => Object.fromEntries(row.map((value, at) => [columns[at]!.name, value]))));
    return all;
  });
}

it.each(RELATIONS)(
  '%s: a column has the same values alone as beside all others',
  async (relation) => {
    const whole = await ask(`select * from ${relation} order by all`);
    expect(whole.length).toBeGreaterThan(0);
    for (const name of Object.keys(whole[0]!)) {
      const alone = await ask(`select ${name} from ${relation}`);
      const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row[name])).sort();
      expect(sorted(alone), name).toEqual(sorted(whole));
    }
  },
  60_000,
);

it('a job has the same row if its log may have begun late', async () => {
  const sql = 'select * from jobs order by job_id';
  expect(await ask(sql, renamed)).toEqual(await ask(sql));
});

it('a job is as its last event left it, at every moment of the log', async () => {
  const statusOf = `case when type in ('NodeFinished', 'OutputCommitted', 'LogCaptured', 'JobPurged') then null
    when type = 'JobSubmitted' or type = 'LeaseLost' then 'queued' when type = 'JobLeased' then 'running'
    when type = 'CancelRequested' then 'canceling' else lower(substr(type, 4)) end`;
  const wanted = `select job_id, arg_max(status, version) as status, count(*) filter (type = 'JobLeased') as attempts
    from (select *, ${statusOf} as status from events) where status is not null group by job_id`;
  const early = files.filter((file) => !/JobSucceeded|JobFailed/.test(file));
  for (const of of [files, early])
    expect(
      await ask(
        `select job_id, status, attempts from jobs where (job_id, status, attempts) not in (from (${wanted}))`,
        of,
      ),
    ).toEqual([]);
  expect(await ask('select count(*) as n from jobs where status = $$running$$', early)).not.toEqual([{ n: 0 }]);
});

it('the rows of a job are found by its id, given or asked for', async () => {
  const [job] = await ask('select job_id from attempts group by all having count(*) > 1 order by all limit 1');
  const given = await ask(
    `select * from node_runs where job_id = '${String(job!['job_id'])}' order by fence, position`,
  );
  expect(given.length).toBeGreaterThan(1);
  const asked = `select * from node_runs where job_id in (
    select job_id from attempts group by all having count(*) > 1 order by all limit 1) order by fence, position`;
  expect(await ask(asked)).toEqual(given);
});

it.each([
  'select j from jobs j limit 1',
  'from (from jobs limit 1)',
  'select count(*) as n from (describe jobs)',
  'select columns(c -> c like $$%_at$$) from jobs limit 1',
  "select count(*) as n from duckdb_columns() where table_name = 'jobs'",
])('%s: sees every column', async (sql) => {
  const [row] = await ask(sql);
  const seen = row!['j'] ?? row!;
  const count = typeof row!['n'] === 'number' ? row!['n'] : Object.keys(seen as object).length;
  expect(count).toBe(sql.includes('_at') ? 4 : 19);
});
