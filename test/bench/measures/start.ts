import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { FOUR_ROW_TABLES, ONE_STATEMENT } from '../floors/four-rows.ts';
import { PRINCIPAL, startJobs } from '../jobs-process.ts';
import type { BenchServers } from '../servers.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';

const WARM = 100;
const TURNS = 600;

/** Row D1: from the acknowledged submission to the worker that has the job, beside LISTEN and SKIP LOCKED. */
export async function measureStart({ floorDatabase }: BenchServers): Promise<Sample> {
  const floor = await listenAndClaim(floorDatabase.url);
  const jobs = await startJobs(floorDatabase.url);
  const worker = jobs.worker();
  const gaps: number[] = [];
  try {
    for (let turn = 0; turn < WARM + TURNS; turn += 1) {
      const leased = worker.next().then(() => performance.now());
      await new Promise((resolve) => setImmediate(resolve));
      const answer = await jobs.jobs.submit(PRINCIPAL, jobs.submission());
      const acknowledged = performance.now();
      if (!answer.ok) throw new Error(answer.rejection.message);
      const at = await leased;
      if (turn >= WARM) gaps.push(Math.max(0, at - acknowledged));
    }
  } finally {
    await worker.session.close();
    await jobs.close();
  }
  return { ...quantiles('listen-claim', floor), ...quantiles('start', gaps) };
}

async function listenAndClaim(url: string): Promise<number[]> {
  const client = new pg.Client(url);
  const worker = new pg.Client(url);
  await Promise.all([client.connect(), worker.connect()]);
  await client.query(FOUR_ROW_TABLES);
  await worker.query('listen f_new');
  const body = Buffer.from(JSON.stringify(tenNodes()));
  const gaps: number[] = [];
  for (let turn = 0; turn < WARM + TURNS; turn += 1) {
    const claimed = new Promise<number>((resolve, reject) => {
      worker.once('notification', () => {
        const text = `update f_job set status = 'running' where id = (
          select id from f_job where status = 'queued' limit 1 for update skip locked) returning id`;
        worker.query({ name: 'claim', text }).then(() => resolve(performance.now()), reject);
      });
    });
    await client.query({
      name: 'submit',
      text: `with n as (select pg_notify('f_new', '')), ${ONE_STATEMENT.trim().slice(5)} returning (select count(*) from n)`,
      values: [[randomUUID()], [randomUUID()], [body]],
    });
    const acknowledged = performance.now();
    const at = await claimed;
    if (turn >= WARM) gaps.push(Math.max(0, at - acknowledged));
  }
  await Promise.all([client.end(), worker.end()]);
  return gaps;
}

function quantiles(name: string, gaps: number[]): Sample {
  gaps.sort((a, b) => a - b);
  const at = (share: number): number => gaps[Math.floor(gaps.length * share)] ?? NaN;
  return { [`${name}.p50`]: at(0.5), [`${name}.p99`]: at(0.99) };
}
