// `node test/analysis/prove-history.ts FOLDER [--events N]`: runs jobs of every kind on the built-in engine until the log in
// the data folder FOLDER has N events, then runs the commands of analysts on it, the last ones while jobs go on. FOLDER stays.
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { program } from '@heddle/platform-telemetry/program';
import { serverOf, startStandalone } from '@heddle/testing-standalone';
import { lastSeq, query } from './log-database.ts';
import { SETTINGS, submitSteadily } from './submit-steadily.ts';

const POLL_INTERVAL_MS = 2_000;
/** Jobs run for so long before the first command beside them. */
const WARM_MS = 3_000;
const QUESTION = `
  select status, count(*) as jobs, sum(attempts)::bigint as attempts, sum(outputs)::bigint as outputs,
         count(*) filter (attempts > 1) as retried from jobs group by status order by status`;
const CACHED = 'select count(*) as node_runs, count(*) filter (cached) as cached from node_runs';

const { values, positionals } = parseArgs({
  options: { events: { type: 'string', default: '1000000' } },
  allowPositionals: true,
});
const [place] = positionals;
if (place === undefined) {
  process.stderr.write('node test/analysis/prove-history.ts FOLDER [--events N]\n');
  process.exitCode = 2;
} else await prove(resolve(place), Number(values.events));

async function prove(folder: string, wanted: number): Promise<void> {
  const dataDir = join(folder, 'data');
  const out = join(folder, 'export');
  await mkdir(dataDir, { recursive: true });
  await rm(out, { recursive: true, force: true });
  await whileJobsRun(dataDir, async (url) => {
    while ((await lastSeq(url)) < BigInt(wanted)) await delay(POLL_INTERVAL_MS);
  });
  const stopped = ['--data', dataDir];
  await tell(['export', ...stopped, '--out', out]);
  await tell(['verify', ...stopped]);
  await tell(['verify', '--from', out]);
  await tell(['query', '--from', out, '--format', 'table', QUESTION]);
  await tell(['query', '--from', out, '--format', 'table', CACHED]);
  await tell(['rebuild', ...stopped]);
  await tellCorrupted(out, join(folder, 'corrupted'));
  await whileJobsRun(dataDir, async (url) => {
    await delay(WARM_MS);
    const before = await lastSeq(url);
    await tell(['export', ...stopped, '--out', out]);
    await tell(['rebuild', ...stopped, '--swap']);
    process.stdout.write(`${(await lastSeq(url)) - before} events were numbered meanwhile\n`);
    await query(url, 'drop schema jobs_rebuilt cascade');
  });
  await tell(['verify', ...stopped]);
}

/** Runs jobs until `work` is done, then lets the service stop in order. */
async function whileJobsRun(dataDir: string, work: (url: string) => Promise<void>): Promise<void> {
  const service = await startStandalone({ env: SETTINGS, dataDir });
  const stop = new AbortController();
  try {
    const submitted = submitSteadily(service.url, Date.now() % 1_000_000, stop.signal);
    const server = serverOf(dataDir)!;
    await Promise.race([work(server.url(server.running()!.port, 'heddle')), submitted]);
    stop.abort();
    process.stdout.write(`${await submitted} jobs were submitted\n`);
  } finally {
    stop.abort();
    await service.terminate();
  }
}

/** One byte of a payload is changed in a copy: the event is named by its number. */
async function tellCorrupted(out: string, copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  await cp(out, copy, { recursive: true });
  const changed = `update-${process.pid}.parquet`;
  const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8')) as {
    readonly segments: readonly { readonly files: readonly { readonly path: string; readonly min_seq: number }[] }[];
  };
  const { path, min_seq: seq } = manifest.segments.at(-1)!.files.find(({ path: file }) => file.includes('JobLeased'))!;
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`
    copy (select * replace (case when seq = ${seq} then replace(data, 'builtin', 'builtim') else data end as data)
            from read_parquet('${join(copy, path)}', hive_partitioning = false) order by job_id, version)
      to '${join(copy, changed)}' (format parquet, compression zstd)`);
  connection.closeSync();
  await writeFile(join(copy, path), await readFile(join(copy, changed)));
  await rm(join(copy, changed));
  process.stdout.write(`the payload of seq ${seq} is changed in a copy\n`);
  await tell(['verify', '--from', copy]);
}

/** Runs a command of history, with what it prints; its exit code may be any. */
async function tell(words: readonly string[]): Promise<void> {
  process.stdout.write(`$ heddle history ${words.join(' ').replaceAll(/\s+/g, ' ')}\n`);
  const child = spawn(process.execPath, [...program('cli'), 'history', ...words], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  const code = await new Promise((ended) => child.once('close', ended));
  process.stdout.write(`exit code ${String(code)}\n`);
}
