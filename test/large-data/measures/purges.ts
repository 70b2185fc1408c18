import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { submit } from './product.ts';
import { quantile, timed } from './timing.ts';
import type { Figures } from './timing.ts';

const JOBS = 200;
const GRAPH_BYTES = 4 * 1024 * 1024;
const CLIENTS = 2;
const GIVEN_UP_MS = 60_000;

/** Measures submissions while 200 expired jobs with graphs of 4 MiB are purged. */
export async function measurePurge(url: string, owner: pg.Client): Promise<Figures> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from jobs.job where status = 'succeeded' order by expires_at limit ${JOBS}`,
  );
  if (rows.length < JOBS) return {};
  for (const [n, { id }] of rows.entries()) {
    await owner.query(
      `with kept as (
         insert into jobs.workflow (hash, bytes) select sha256(convert_to($1::text, 'UTF8')), convert_to(rpad($2::text, ${GRAPH_BYTES}, 'x'), 'UTF8')
         on conflict do nothing
       ) update jobs.job set workflow_hash = sha256(convert_to($1::text, 'UTF8')) where id = $1::uuid`,
      [id, String(n)],
    );
  }
  const statuses: number[] = [];
  const times: number[] = [];
  let stop = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!stop) times.push(await timed(async () => statuses.push(await submit(url))));
  });
  const began = performance.now();
  await owner.query('update jobs.job set expires_at = heddle.clock_now_ms() where id = any($1)', [
    rows.map(({ id }) => id),
  ]);
  while (
    performance.now() - began < GIVEN_UP_MS &&
    (await isLeft(
      owner,
      rows.map(({ id }) => id),
    ))
  )
    await delay(50);
  const took = performance.now() - began;
  await delay(500);
  stop = true;
  await Promise.all(clients);
  return {
    'purge of 200 jobs with 4 MiB graphs, ms': took,
    'submission beside the purge p50': quantile(times, 0.5),
    'submission beside the purge p99': quantile(times, 0.99),
    'submission beside the purge, slowest': quantile(times, 1),
    'answers of 500 and more beside the purge': statuses.filter((status) => status >= 500).length,
  };
}

async function isLeft(owner: pg.Client, ids: readonly string[]): Promise<boolean> {
  const { rows } = await owner.query<{ left: boolean }>(
    `select exists (select from jobs.job where id = any($1::uuid[]))
       or exists (select from jobs.workflow where hash in (select sha256(convert_to(i, 'UTF8')) from unnest($1::text[]) i)) as left`,
    [ids],
  );
  return rows[0]!.left;
}
