import { setTimeout as delay } from 'node:timers/promises';
import {
  assetReference,
  failingGraph,
  freshBytes,
  freshPicture,
  loadGraph,
  sleepingGraph,
  textGraph,
} from '@heddle/testing-api';
import type { LoadClient } from './load-client.ts';

const UPLOAD_BYTES = 48 * 1_024;

/** What goes on all the time, until `signal`. */
export async function steadyLoad(pool: LoadClient, alpha: LoadClient, signal: AbortSignal): Promise<void> {
  let refusals = 0;
  const refused = [() => pool.malformed(), () => pool.invalid(), () => pool.unknown()];
  await Promise.all([
    every(0.6, signal, () => pool.submit(textGraph())),
    every(4, signal, () => watchedJob(pool, 1.5)),
    every(8, signal, () => pool.submit(failingGraph())),
    every(20, signal, () => canceledJob(pool)),
    every(3, signal, () => uploadedBytes(pool)),
    every(6, signal, () => uploadedPicture(pool)),
    every(5, signal, () => refused[refusals++ % refused.length]!()),
    every(5, signal, async () => {
      if (!alpha.isQuiet) await alpha.submit(textGraph());
    }),
  ]);
}

/** A client that follows its job to the end. */
async function watchedJob(client: LoadClient, seconds: number): Promise<void> {
  const id = await client.submit(sleepingGraph(seconds));
  if (id !== null) await (await client.watch(id))?.ended;
}

async function uploadedBytes(client: LoadClient): Promise<void> {
  const id = await client.upload(freshBytes(UPLOAD_BYTES));
  if (id !== null) await client.content(id);
}

/** A worker reads it. */
async function uploadedPicture(client: LoadClient): Promise<void> {
  const id = await client.upload(freshPicture());
  if (id !== null) await client.submit(loadGraph(assetReference(id)));
}

async function canceledJob(client: LoadClient): Promise<void> {
  const id = await client.submit(sleepingGraph(30));
  if (id === null) return;
  // Long enough that a worker has it.
  await delay(3_000);
  await client.cancel(id);
}

/** Does not wait for what it starts: a slow answer must not lower the rate. */
async function every(seconds: number, signal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  const started = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    const one = act().finally(() => started.delete(one));
    started.add(one);
    await delay(seconds * 1_000, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(started);
}
