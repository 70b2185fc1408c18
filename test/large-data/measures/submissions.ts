import { setTimeout as delay } from 'node:timers/promises';
import { page } from './lists.ts';
import { submit } from './product.ts';
import { quantile, repeated, timed } from './timing.ts';
import type { Figures } from './timing.ts';

const WARM = 400;
const COUNT = 300;
const READERS = 10;
/** Pause of a reader between pages: without it, ten readers would use ten cores. */
const PAUSE_MS = 200;
/** Lists that no plain index answers (finding C4) */
const HEAVY = ['status=failed', 'status=queued,running', 'metadata[project]=alpha', 'status=expired'];

/** Measures sequential submissions, alone and with list readers. */
export async function measureSubmissions(url: string): Promise<Figures> {
  await repeated(WARM, () => accepted(url));
  const alone = await repeated(COUNT, () => accepted(url));
  let stop = false;
  const reads: number[] = [];
  const readers = Array.from({ length: READERS }, async (_, n) => {
    while (!stop) {
      reads.push(await timed(() => page(url, HEAVY[n % HEAVY.length]!, null)));
      await delay(PAUSE_MS);
    }
  });
  const beside = await repeated(COUNT, () => accepted(url));
  stop = true;
  await Promise.all(readers);
  return {
    'submission p50': quantile(alone, 0.5),
    'ten list readers make a submission slower, p50 ratio': quantile(beside, 0.5) / quantile(alone, 0.5),
    'submission p99': quantile(alone, 0.99),
    'submission beside ten list readers p50': quantile(beside, 0.5),
    'submission beside ten list readers p99': quantile(beside, 0.99),
    'list beside a submission p99': quantile(reads, 0.99),
  };
}

async function accepted(url: string): Promise<void> {
  const status = await submit(url);
  if (status !== 201) throw new Error(`a submission was answered ${status}`);
}
