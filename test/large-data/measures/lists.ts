import { read } from './product.ts';
import { quantile, repeated } from './timing.ts';
import type { Figures } from './timing.ts';

const LIST_FILTERS: Readonly<Record<string, string>> = {
  'no filter': '',
  queued: 'status=queued',
  running: 'status=running',
  succeeded: 'status=succeeded',
  canceling: 'status=canceling',
  canceled: 'status=canceled',
  failed: 'status=failed',
  expired: 'status=expired',
  'queued, running': 'status=queued,running',
  'a common label': 'metadata[project]=alpha',
  'a rare label': 'metadata[run]=20',
  'a label that no job has': 'metadata[run]=none',
  'label and status': 'metadata[project]=alpha&status=failed',
  'label and rare status': 'metadata[project]=alpha&status=expired',
  'two labels': 'metadata[project]=alpha&metadata[team]=3',
  'two common labels, no job': 'metadata[project]=alpha&metadata[team]=none',
  key: 'idempotency_key=none',
};

/** Time budget of a filter: slow filters are measured fewer times. */
const BUDGET_MS = 8_000;
const MAX_READS = 500;
const DEEP_PAGES = 60;
/** The first pages of a process that has just started wait for its compiler, whatever is stored. */
const FIRST_PAGES = 50;

/** Measures the first pages of every filter. */
export async function measureLists(url: string): Promise<Figures> {
  const first = await repeated(FIRST_PAGES, () => page(url, '', null));
  const figures: Figures = { [`list: slowest of the first ${FIRST_PAGES} pages after a start`]: Math.max(...first) };
  for (const [name, filter] of Object.entries(LIST_FILTERS)) {
    const times: number[] = [];
    const began = performance.now();
    await page(url, filter, null);
    while (times.length < MAX_READS && (times.length < 4 || performance.now() - began < BUDGET_MS))
      times.push(...(await repeated(1, () => page(url, filter, null))));
    figures[`list: ${name} p50`] = quantile(times, 0.5);
    figures[`list: ${name} p99`] = quantile(times, 0.99);
  }
  for (const [name, filter] of [
    ['no filter', ''],
    ['a common label', 'metadata[project]=alpha'],
  ] as const) {
    const times: number[] = [];
    let cursor = await page(url, filter, null);
    for (let n = 0; n < DEEP_PAGES && cursor !== null; n += 1)
      times.push(...(await repeated(1, async () => (cursor = await page(url, filter, cursor)))));
    figures[`list: ${name}, next pages p99`] = quantile(times, 0.99);
  }
  return figures;
}

export async function page(url: string, filter: string, cursor: string | null): Promise<string | null> {
  const asked = [
    `limit=100`,
    filter.replaceAll('[', '%5B').replaceAll(']', '%5D'),
    cursor === null ? '' : `cursor=${cursor}`,
  ];
  const { status, body } = await read(`${url}/api/v2/jobs?${asked.filter((part) => part !== '').join('&')}`);
  if (status !== 200) throw new Error(`${filter} was answered ${status}: ${JSON.stringify(body)}`);
  return (body as { next_cursor: string | null }).next_cursor;
}
