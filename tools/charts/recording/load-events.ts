// What happens once, by the second of the load. docs/dashboard/README.md explains the picture by these events.
import { setTimeout as delay } from 'node:timers/promises';
import { sleepingGraph, textGraph } from '@heddle/testing-api';
import type { EventStream } from '@heddle/testing-api';
import type { LoadClient } from './load-client.ts';
import { DEPLOYMENT, QUEUE_DEPTH, type RecordedCluster } from './recorded-cluster.ts';

const [STREAMS, STREAM_EVERY_MS] = [16, 2_000];
/** Only a pool that was without workers for 30 seconds is cold. */
const [COLD_MS, IDLE_MS] = [40_000, 8_000];
const SLEEP_BEFORE_KILL_S = 6;

export interface LoadEvent {
  readonly atS: number;
  readonly what: string;
  happen(): Promise<void>;
}

export const LOAD_S = 285;

export function loadEvents({ cluster }: RecordedCluster, pool: LoadClient, alpha: LoadClient): readonly LoadEvent[] {
  const process = (isIt: (plan: { readonly name: string; readonly service: string }) => boolean) =>
    cluster.processes.find(({ plan }) => isIt(plan))!;
  return [
    { atS: 20, what: `${STREAMS} event streams open, and close again`, happen: () => streams(alpha) },
    { atS: 100, what: 'a burst of jobs fills the queue', happen: () => burst(pool) },
    {
      atS: 165,
      what: 'kill -9 of a worker that runs a job',
      happen: async () => {
        await Promise.all([1, 2].map(() => pool.submit(sleepingGraph(SLEEP_BEFORE_KILL_S))));
        // Until both workers have one.
        await delay(1_000);
        await process(({ name }) => name === 'worker-1').kill();
      },
    },
    {
      atS: 195,
      what: `${DEPLOYMENT} has no worker for ${COLD_MS / 1_000} seconds`,
      happen: async () => {
        const worker = process(({ name, service }) => service === 'worker' && name.includes(DEPLOYMENT));
        alpha.isQuiet = true;
        await worker.stop();
        // The replicas agree within seconds that it is gone; until then a job counts as one that met a busy worker.
        await delay(IDLE_MS);
        await alpha.submit(textGraph());
        alpha.isQuiet = false;
        await delay(COLD_MS - IDLE_MS);
        await worker.start();
      },
    },
    {
      atS: 255,
      what: 'kill -9 of a jobs process',
      happen: async () => await process(({ name }) => name === 'jobs-1').kill(),
    },
  ];
}

/** Its job runs as long as the streams are open. */
async function streams(client: LoadClient): Promise<void> {
  const id = await client.submit(sleepingGraph((2 * STREAMS * STREAM_EVERY_MS) / 1_000));
  if (id === null) return;
  const open: (EventStream | null)[] = [];
  for (let count = 0; count < STREAMS; count += 1) {
    open.push(await client.watch(id));
    await delay(STREAM_EVERY_MS);
  }
  for (const stream of open) {
    stream?.close();
    await delay(STREAM_EVERY_MS);
  }
}

/** More than may wait: the rest is refused with 429. */
async function burst(client: LoadClient): Promise<void> {
  await Promise.all(Array.from({ length: 1.5 * QUEUE_DEPTH }, () => client.submit(sleepingGraph(1))));
}
