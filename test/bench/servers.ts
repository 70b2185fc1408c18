import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres, removeEmbeddedData } from '@heddle/platform-database';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { childPids } from './process-cpu.ts';

/** The servers of one run: the product, and a database of the same software with the same flags for the floors. */
export interface BenchServers {
  readonly floorDatabase: { readonly url: string; readonly serverPid: number };
  /** No workers, raised depth limits: submissions wait. */
  readonly product: Standalone;
  productStorePid(): number;
  /** One worker with the test nodes: for rows that need a running job. */
  readonly running: Standalone;
  stop(): Promise<void>;
}

const RAISED = {
  HEDDLE_LOG_LEVEL: 'warn',
  HEDDLE_QUEUE_DEPTH_ACCOUNT: '100000000',
  HEDDLE_QUEUE_DEPTH: '100000000',
  HEDDLE_STREAMS_ACCOUNT: '100000',
  HEDDLE_STREAMS: '100000',
  HEDDLE_READ_RATE: '1000000',
  HEDDLE_READ_BURST: '1000000',
};

export async function startServers(): Promise<BenchServers> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-bench-floor-'));
  const floor = new EmbeddedPostgres({ dataDir: folder });
  await floor.start();
  const product = await startStandalone({ env: { ...RAISED, HEDDLE_WORKERS: '0' } });
  const running = await startStandalone({ env: { ...RAISED, HEDDLE_WORKERS: '1', HEDDLE_TEST_NODES: '1' } });
  const storePid = postmasterOf(product.pid);
  return {
    floorDatabase: { url: floor.url, serverPid: floor.pid ?? 0 },
    product,
    productStorePid: () => storePid,
    running,
    stop: async () => {
      await product.stop();
      await running.stop();
      await floor.stop();
      removeEmbeddedData(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The database server that a Heddle process started. */
function postmasterOf(pid: number): number {
  const postmaster = childPids(pid).find(({ name }) => name === 'postgres');
  if (postmaster === undefined) throw new Error('the product has no database server of its own');
  return postmaster.pid;
}
