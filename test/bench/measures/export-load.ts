import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startStandalone } from '@heddle/testing-standalone';
import { serverOf } from '@heddle/testing-standalone';
import pg from 'pg';
import { loadLargeData } from '../../large-data/load.ts';
import { openTarget } from '../../large-data/open-target.ts';
import { runHistory } from '../history/run-command.ts';
import { postmasterOf, RAISED } from '../servers.ts';
import type { Sample } from '../rows.ts';
import { submissionLoad, VALID } from './submit.ts';

/** Three events each, so that an export lasts longer than a turn. */
const LOADED = { jobs: 400_000, accounts: 1_000, deployments: 1, seed: 1 };
const CONNECTIONS = 16;
const TURNS = 3;
const ENV = { ...RAISED, HEDDLE_WORKERS: '0' };
const POLL_INTERVAL_MS = 50;

/** Row H9: CPU of a submission, of client, service and database, while a log of a million events is exported; the export's own aside. */
export async function measureExportLoad(): Promise<Sample> {
  const first = await startStandalone({ env: ENV });
  await first.terminate();
  const { dataDir } = first;
  const target = await openTarget({ HEDDLE_DATA: dataDir });
  await loadLargeData(target, LOADED, { signal: new AbortController().signal, written: () => undefined });
  await target.close();
  const product = await startStandalone({ env: ENV, dataDir });
  const url = serverOf(dataDir)!.url(serverOf(dataDir)!.running()!.port, 'heddle');
  const submissions = { port: product.port, pid: product.pid, storePid: postmasterOf(product.pid) };
  const out = join(tmpdir(), `heddle-bench-export-${process.pid}`);
  try {
    const [without, beside]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      without.push((await submissionLoad(submissions, CONNECTIONS, VALID)).cpu);
      const exporting = runHistory(['export', '--out', `${out}-${turn}`, '--json'], url);
      const backend = await backendOfExport(url);
      let hasEnded = false;
      void exporting.finally(() => (hasEnded = true));
      beside.push((await submissionLoad(submissions, CONNECTIONS, VALID, backend)).cpu);
      if (hasEnded) throw new Error('the export ended before the turn: load more jobs');
      await exporting;
    }
    return { 'without-export.cpu': Math.min(...without), 'beside-export.cpu': Math.min(...beside) };
  } finally {
    for (let turn = 0; turn < TURNS; turn += 1) await rm(`${out}-${turn}`, { recursive: true, force: true });
    await product.stop();
    await first.stop();
  }
}

async function backendOfExport(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'heddle-history' and query like '%event_seq%'`,
      );
      if (rows[0] !== undefined) return rows[0].pid;
      await delay(POLL_INTERVAL_MS);
    }
  } finally {
    await client.end();
  }
}
