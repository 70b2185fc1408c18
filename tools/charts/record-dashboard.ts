// Starts a cluster and a Prometheus, puts a load on it for some minutes and draws docs/dashboard/heddle.svg:
// `node tools/charts/record-dashboard.ts [FILE]`. Needs a build and what `npm run cluster` and `npm run verify:charts` need.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drawDashboard } from './pictures/dashboard-picture.ts';
import type { PictureEvent } from './pictures/panel-data.ts';
import { LoadClient } from './recording/load-client.ts';
import { LOAD_S, loadEvents } from './recording/load-events.ts';
import { SCRAPE_INTERVAL_S, startRecordedCluster, type RecordedCluster } from './recording/recorded-cluster.ts';
import { steadyLoad } from './recording/steady-load.ts';

const PICTURE = fileURLToPath(new URL('../../docs/dashboard/heddle.svg', import.meta.url));
/** Shown before and after the load. */
const QUIET_S = 15;

const say = (line: string): boolean => process.stderr.write(`heddle: ${line}\n`);
const nowS = (): number => Math.floor(Date.now() / 1_000);

async function load(recorded: RecordedCluster): Promise<readonly PictureEvent[]> {
  const { cluster, key, host } = recorded;
  const [pool, alpha] = [new LoadClient(cluster.url, key), new LoadClient(cluster.url, key, host)];
  const [steady, events] = [new AbortController(), [] as PictureEvent[]];
  const loads = [
    steadyLoad(pool, alpha, steady.signal),
    ...loadEvents(recorded, pool, alpha).map(async ({ atS, what, happen }) => {
      await delay(atS * 1_000);
      say(`${atS} s: ${what}`);
      events.push({ at: nowS(), what });
      await happen();
    }),
  ];
  await delay(LOAD_S * 1_000);
  steady.abort();
  await Promise.all(loads);
  for (const [name, { answers }] of Object.entries({ pool, alpha }))
    say(`answers at ${name}: ${[...answers].map(([status, count]) => `${count} x ${status}`).join(', ')}`);
  return events;
}

async function record(recorded: RecordedCluster, file: string): Promise<void> {
  const from = nowS();
  await delay(QUIET_S * 1_000);
  say(`the load takes ${LOAD_S} seconds`);
  const events = await load(recorded);
  await delay(QUIET_S * 1_000);
  const window = { from, to: nowS(), scrapeIntervalS: SCRAPE_INTERVAL_S, events };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await drawDashboard(recorded.prometheus.url, window));
  say(`${file} is written`);
}

const interrupted = new Promise<'interrupted'>((done) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done('interrupted'));
});
const recorded = await startRecordedCluster(say);
try {
  const end = await Promise.race([record(recorded, process.argv[2] ?? PICTURE), interrupted]);
  if (end === 'interrupted') process.exitCode = 1;
} finally {
  await recorded.stop();
}
// A load that was interrupted would go on.
process.exit();
