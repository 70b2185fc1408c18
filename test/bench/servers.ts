import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres, removeEmbeddedData } from '@heddle/platform-database';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { childPids } from './process-cpu.ts';

/** The servers of one run: the product, and a database with the same software and flags for the floors */
export interface BenchServers {
  readonly floorDatabase: { readonly url: string; readonly serverPid: number };
  /** Without workers and with raised depth limits: submissions wait. */
  readonly product: Standalone;
  productStorePid(): number;
  /** With one worker and the test nodes, for rows that need a running job */
  readonly running: Standalone;
  stop(): Promise<void>;
}

/** Raises limits that a measurement would reach before the machine's limits. */
export const RAISED = {
  HEDDLE_LOG_LEVEL: 'warn',
  HEDDLE_QUEUE_DEPTH_ACCOUNT: '100000000',
  HEDDLE_QUEUE_DEPTH: '100000000',
  HEDDLE_STREAMS_ACCOUNT: '100000',
  HEDDLE_STREAMS: '100000',
  HEDDLE_READ_RATE: '1000000',
  HEDDLE_READ_BURST: '1000000',
};

/** Without `standalone`, starts only the floors' database; access to the product throws. */
export async function startServers({ standalone }: { readonly standalone: boolean }): Promise<BenchServers> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-bench-floor-'));
  const floor = new EmbeddedPostgres({ dataDir: folder });
  await floor.start();
  const started = standalone
    ? {
        product: await startStandalone({ env: { ...RAISED, HEDDLE_WORKERS: '0' } }),
        running: await startStandalone({ env: { ...RAISED, HEDDLE_WORKERS: '1', HEDDLE_TEST_NODES: '1' } }),
      }
    : null;
  const storePid = started === null ? 0 : postmasterOf(started.product.pid);
  const told = (): NonNullable<typeof started> => {
    if (started === null) throw new Error('this run has no standalone product: see WITH_STANDALONE in main.ts');
    return started;
  };
  return {
    floorDatabase: { url: floor.url, serverPid: floor.pid ?? 0 },
    get product() {
      return told().product;
    },
    productStorePid: () => storePid,
    get running() {
      return told().running;
    },
    stop: async () => {
      await started?.product.stop();
      await started?.running.stop();
      await floor.stop();
      removeEmbeddedData(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The pid of the database server that a Heddle process started. */
export function postmasterOf(pid: number): number {
  const postmaster = childPids(pid).find(({ name }) => name === 'postgres');
  if (postmaster === undefined) throw new Error('the product has no database server of its own');
  return postmaster.pid;
}
