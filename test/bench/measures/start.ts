import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { FOUR_ROW_TABLES, ONE_STATEMENT } from '../floors/four-rows.ts';
import { PRINCIPAL, startJobs } from '../jobs-process.ts';
import { cpuUs, treeCpuUs } from '../process-cpu.ts';
import { quantiles } from '../quantiles.ts';
import type { BenchServers } from '../servers.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';

const WARM = 100;
const TURNS = 600;

/**
 * Row D1: one job from its submission to the worker, compared with LISTEN and SKIP LOCKED. The product leases the job in the
 * submitting transaction, so the time is measured from the call and not from its answer.
 */
export async function measureStart({ floorDatabase: { url, serverPid } }: BenchServers): Promise<Sample> {
  const read = (): number => cpuUs(process.pid) + treeCpuUs(serverPid);
  const floor = await listenAndClaim(url, read);
  const jobs = await startJobs(url);
  const worker = jobs.worker();
  try {
    const product = await timedTurns(read, async () => {
      const leased = worker.next().then(() => performance.now());
      await new Promise((resolve) => setImmediate(resolve));
      const began = performance.now();
      const answer = await jobs.jobs.submit(PRINCIPAL, jobs.submission());
      if (!answer.ok) throw new Error(answer.rejection.message);
      return (await leased) - began;
    });
    return { ...figures('listen-claim', floor), ...figures('start', product) };
  } finally {
    await worker.session.close();
    await jobs.close();
  }
}

interface Turns {
  readonly times: readonly number[];
  /** CPU of this process and the database server, microseconds per round */
  readonly cpu: number;
}

async function timedTurns(readCpu: () => number, turn: () => Promise<number>): Promise<Turns> {
  for (let n = 0; n < WARM; n += 1) await turn();
  const before = readCpu();
  const times: number[] = [];
  for (let n = 0; n < TURNS; n += 1) times.push(await turn());
  return { times, cpu: (readCpu() - before) / TURNS };
}

function figures(name: string, { times, cpu }: Turns): Sample {
  return { ...quantiles(name, times), [`${name}.cpu`]: cpu };
}

async function listenAndClaim(url: string, readCpu: () => number): Promise<Turns> {
  const client = new pg.Client(url);
  const worker = new pg.Client(url);
  await Promise.all([client.connect(), worker.connect()]);
  await client.query(FOUR_ROW_TABLES);
  await worker.query('listen f_new');
  const body = Buffer.from(JSON.stringify(tenNodes()));
  const turns = await timedTurns(readCpu, async () => {
    const claimed = new Promise<number>((resolve, reject) => {
      worker.once('notification', () => {
        const text = `update f_job set status = 'running' where id = (
          select id from f_job where status = 'queued' limit 1 for update skip locked) returning id`;
        worker.query({ name: 'claim', text }).then(() => resolve(performance.now()), reject);
      });
    });
    const began = performance.now();
    await client.query({
      name: 'submit',
      text: `with n as (select pg_notify('f_new', '')), ${ONE_STATEMENT.trim().slice(5)} returning (select count(*) from n)`,
      values: [[randomUUID()], [randomUUID()], [body]],
    });
    return (await claimed) - began;
  });
  await Promise.all([client.end(), worker.end()]);
  return turns;
}
