import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JOBS_MIGRATIONS, JOBS_ROLE } from '@heddle/jobs';
import { lastSeq } from '../../analysis/log-database.ts';
import { benchDatabase } from '../bench-database.ts';
import { askQuestions } from '../history/ask-questions.ts';
import { copyLog, insertLongJob } from '../history/copied-log.ts';
import { readLog } from '../history/read-log.ts';
import { runHistory } from '../history/run-command.ts';
import type { CommandRun } from '../history/run-command.ts';
import type { Sample } from '../rows.ts';
import type { BenchServers } from '../servers.ts';

const EVENTS = 1_000_000;
const LARGE_EVENTS = 10_000_000;
const SHOWN_EVENTS = 10_000;
const SHOWS = 5;

/** Rows H1 to H6 and R1: the commands of analysts over a million events, beside a plain read of the same log. */
export async function measureHistory(servers: BenchServers): Promise<Sample> {
  return await withLog(servers, EVENTS, async (url, folder) => {
    const read = await readLog(url, await lastSeq(url));
    const sample = await workThrough(url, folder, '');
    const shown = await showTimes(url, await insertLongJob(url, SHOWN_EVENTS));
    return { ...sample, 'read-log.rate': read, ...shown };
  });
}

/** Rows H7 and H8: memory over ten times as many events, and the worked questions. It takes a quarter of an hour. */
export async function measureLargeHistory(servers: BenchServers): Promise<Sample> {
  return await withLog(servers, LARGE_EVENTS, async (url, folder) => {
    const sample = await workThrough(url, folder, '10');
    return { ...sample, ...(await askQuestions(folder)) };
  });
}

async function withLog(
  { floorDatabase }: BenchServers,
  events: number,
  measure: (url: string, folder: string) => Promise<Sample>,
): Promise<Sample> {
  const { url, drop } = await benchDatabase(floorDatabase.url, JOBS_MIGRATIONS, JOBS_ROLE);
  const folder = await mkdtemp(join(tmpdir(), 'heddle-bench-history-'));
  try {
    await copyLog(url, events);
    return await measure(url, join(folder, 'export'));
  } finally {
    await rm(folder, { recursive: true, force: true });
    await drop();
  }
}

async function workThrough(url: string, folder: string, mark: string): Promise<Sample> {
  const chain = await runHistory(['verify', '--no-fold', '--json'], url);
  const verify = await runHistory(['verify', '--json'], url);
  const rebuild = await runHistory(['rebuild', '--json'], url);
  const exported = await runHistory(['export', '--out', folder, '--json'], url);
  const figures = { 'verify-chain': chain, verify, rebuild, export: exported };
  const sample = Object.fromEntries(
    Object.entries(figures).flatMap(([name, run]) => [
      [`${name}${mark}.rate`, rateOf(run)],
      [`${name}${mark}.cpu`, (run.cpuMs * 1000) / Number(run.line['events'])],
      [`${name}${mark}.mib`, run.mib],
    ]),
  );
  for (const [name, figure] of Object.entries(sample)) process.stderr.write(`  ${name} ${figure.toFixed(1)}\n`);
  return sample;
}

/** By the command's own clock, which starts when it is connected. */
function rateOf({ line }: CommandRun): number {
  return Number(line['events']) / Number(line['seconds']);
}

/** The time to show a job with 10,000 events, and that of the command's help, which starts the same process. */
async function showTimes(url: string, jobId: string): Promise<Sample> {
  const least = async (words: readonly string[]): Promise<number> => {
    const times: number[] = [];
    for (let turn = 0; turn < SHOWS; turn += 1) times.push((await runHistory(words, url)).milliseconds);
    return Math.min(...times);
  };
  return { 'show.ms': await least(['show', jobId, '--json']), 'show-start.ms': await least(['show', '--help']) };
}
