import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import 'reflect-metadata';
import { join } from 'node:path';
import { EmbeddedPostgres, PostgresServer, removeEmbeddedData } from '@heddle/platform-database';
import pg from 'pg';
import { loadLargeData } from './load.ts';
import { openTarget } from './open-target.ts';
import { measureCollection } from './measures/collection.ts';
import { measureLists } from './measures/lists.ts';
import { startProduct } from './measures/product.ts';
import { measurePurge } from './measures/purges.ts';
import { measureQueue } from './measures/queue.ts';
import { measureSnapshot } from './measures/snapshot.ts';
import { measureSubmissions } from './measures/submissions.ts';
import type { Figures } from './measures/timing.ts';

export interface SlopeOptions {
  /** Numbers of jobs, ascending; an empty database is measured first. */
  readonly sizes: readonly number[];
  readonly only: readonly string[];
  /** Folder that keeps the data for the next run; null: a temporary folder. */
  readonly keep: string | null;
  readonly snapshotJobs: number;
}

const ACCOUNTS = 100_000;

/** Measures each size, the empty database first. */
export async function measureSlopes(options: SlopeOptions, tell: (line: string) => void): Promise<readonly Figures[]> {
  const root = options.keep ?? (await mkdtemp(join(tmpdir(), 'heddle-large-')));
  await mkdir(root, { recursive: true });
  try {
    const columns: Figures[] = [];
    for (const jobs of [0, ...options.sizes]) {
      // Measurements leave jobs behind, so the empty database is always new.
      const place = jobs === 0 ? await mkdtemp(join(root, 'empty-')) : join(root, String(jobs));
      const folder = await prepared(place, jobs, tell);
      columns.push(await measured(folder, jobs, options, tell));
      if (options.keep === null || jobs === 0) removeEmbeddedData(folder);
    }
    return columns;
  } finally {
    if (options.keep === null) await rm(root, { recursive: true, force: true });
  }
}

async function prepared(folder: string, jobs: number, tell: (line: string) => void): Promise<string> {
  if (existsSync(join(folder, 'postgres'))) return folder;
  await mkdir(folder, { recursive: true });
  await (await startProduct(folder)).terminate();
  if (jobs === 0) return folder;
  const target = await openTarget({ HEDDLE_DATA: folder });
  try {
    const options = { jobs, accounts: ACCOUNTS, deployments: 1, seed: 1 };
    const report = await loadLargeData(target, options, {
      signal: new AbortController().signal,
      written: () => undefined,
    });
    tell(`${jobs} jobs with ${report.events} events written in ${report.seconds} s`);
    const owner = await ownerOf(folder);
    // Else the first minutes measure the vacuum of all that was just written, which a database at work has behind it.
    await owner.query('vacuum').finally(() => owner.end());
  } finally {
    await target.close();
  }
  return folder;
}

async function measured(
  folder: string,
  jobs: number,
  options: SlopeOptions,
  tell: (line: string) => void,
): Promise<Figures> {
  const has = (name: string): boolean => options.only.includes(name);
  const figures: Figures = {};
  const take = async (name: string, measure: () => Promise<Figures>): Promise<void> => {
    if (!has(name)) return;
    tell(`${jobs} jobs: ${name}`);
    const found = await measure();
    for (const [row, value] of Object.entries(found)) tell(`${jobs} jobs: ${row}: ${value.toFixed(2)}`);
    Object.assign(figures, found);
  };
  if (['lists', 'submissions', 'purges', 'collection'].some(has)) {
    const product = await startProduct(folder, { HEDDLE_BLOB_GRACE_S: '0', HEDDLE_ASSET_SWEEP_S: '1' });
    const owner = await ownerOf(folder);
    try {
      await take('lists', () => measureLists(product.url));
      await take('submissions', () => measureSubmissions(product.url));
      await take('purges', () => measurePurge(product.url, owner));
      await take('collection', () => measureCollection(owner));
    } finally {
      await owner.end();
      await product.terminate();
    }
  }
  if (['queue', 'snapshot'].some(has)) {
    const server = new EmbeddedPostgres({ dataDir: folder });
    await server.start();
    try {
      await take('queue', () => measureQueue(server.url));
      await take('snapshot', () => measureSnapshot(server.url, options.snapshotJobs));
    } finally {
      await server.stop();
    }
  }
  return figures;
}

async function ownerOf(dataDir: string): Promise<pg.Client> {
  const server = new PostgresServer({ dataDir });
  const owner = new pg.Client({ connectionString: server.url(server.running()!.port, 'heddle') });
  await owner.connect();
  return owner;
}
