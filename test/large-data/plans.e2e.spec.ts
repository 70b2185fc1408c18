import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresServer } from '@heddle/platform-database';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import pg from 'pg';
import { crowd, enlarge, SMALL_TABLES } from './grow-tables.ts';
import { loadLargeData } from './load.ts';
import { logPlans, nodesOf, plansIn, rowsRead } from './logged-plans.ts';
import type { LoggedPlan } from './logged-plans.ts';
import { openTarget } from './open-target.ts';
import { liveOneDay } from './product-day.ts';

const JOBS = 40_000;
const ACCOUNTS = 10_000;
/** The largest batch has 1,000 rows, some in two versions. Every growing table has more rows than this. */
const MAX_ROWS = 2_000;

/** Statements that read more on purpose, with the reason */
const BY_DESIGN: Readonly<Record<string, string>> = {
  "update assets.delete_task set taken_until = null where coalesce(taken_until, '-infinity') > '-infinity'":
    'once at a start after a crash: what the ended process had taken is free again',
};

const ENV = {
  HEDDLE_WORKERS: '1',
  HEDDLE_TEST_NODES: '1',
  HEDDLE_READ_RATE: '100000',
  HEDDLE_READ_BURST: '100000',
  HEDDLE_BLOB_GRACE_S: '0',
  HEDDLE_ASSET_SWEEP_S: '1',
  // The purge runs four times within this time.
  HEDDLE_JOB_RETENTION_S: '40',
};

let made: Standalone | undefined;
let plans: readonly LoggedPlan[] = [];

beforeAll(async () => {
  made = await startStandalone({ env: { HEDDLE_WORKERS: '0' } });
  const { dataDir } = made;
  await made.terminate();
  await fill(dataDir);
  const product = await startStandalone({ dataDir, env: ENV });
  const owner = new pg.Client({ connectionString: urlOf(dataDir) });
  await owner.connect();
  await owner.query('set auto_explain.log_min_duration = -1');
  try {
    await liveOneDay(product, owner);
  } finally {
    await owner.end();
    await product.terminate();
  }
  plans = plansIn(join(dataDir, 'postgres', 'server.log'));
}, 120_000);

afterAll(async () => {
  await made?.stop();
});

it('reads the plans of what the product runs, those inside its functions too', () => {
  const seen = plans.map(({ text }) => text).join('\n');
  for (const part of [
    'insert into jobs.event (',
    'insert into jobs.event_seq',
    'from jobs.queue',
    'assets.delete_task',
    'delete from jobs.job ',
  ])
    expect(seen).toContain(part);
  expect(plans.length).toBeGreaterThan(1_000);
});

const judged = (): readonly LoggedPlan[] => plans.filter(({ text }) => !(text.trim() in BY_DESIGN));

it('scans nothing that grows without limit', () => {
  const scans = judged().flatMap(({ text, plan }) =>
    [...nodesOf(plan)].flatMap((node) => {
      const table = node['Relation Name'];
      if (node['Node Type'] !== 'Seq Scan' || table === undefined || table in SMALL_TABLES) return [];
      return [`${table} is scanned by: ${text.trim().slice(0, 200)}`];
    }),
  );
  expect([...new Set(scans)]).toEqual([]);
});

it('reads no more rows than a batch has, whatever lies beside them', () => {
  const wide = judged().flatMap(({ text, plan }) =>
    [...nodesOf(plan)].flatMap((node) => {
      if (node['Relation Name'] === undefined && node['Index Name'] === undefined) return [];
      if (rowsRead(node) <= MAX_ROWS) return [];
      const place = node['Index Name'] ?? node['Relation Name'];
      return [`${place}: ${text.trim().slice(0, 200)}`];
    }),
  );
  expect([...new Set(wide)]).toEqual([]);
});

async function fill(dataDir: string): Promise<void> {
  const target = await openTarget({ HEDDLE_DATA: dataDir });
  const owner = new pg.Client({ connectionString: target.url });
  try {
    const options = { jobs: JOBS, accounts: ACCOUNTS, deployments: 1, seed: 1, unended: 60 };
    await loadLargeData(target, options, { signal: new AbortController().signal, written: () => undefined });
    await owner.connect();
    await crowd(owner);
    await enlarge(owner);
    await logPlans(owner);
  } finally {
    await owner.end();
    await target.close();
  }
}

function urlOf(dataDir: string): string {
  const server = new PostgresServer({ dataDir });
  return server.url(server.running()!.port, 'heddle');
}
