import { MANAGED_DEPLOYMENT_ID, newUuid } from '@heddle/contracts-messages';
import type { AccountId } from '@heddle/contracts-messages';
import { checkCredits, JOBS_ROLE } from '@heddle/jobs';
import { copyRows } from '@heddle/platform-database';
import { copyLedgers } from '@heddle/testing-jobs';
import type { Pool } from 'pg';
import { finishOneJob } from '../finish-one-job.ts';
import { startJobs } from '../jobs-process.ts';
import type { JobsProcess } from '../jobs-process.ts';
import { cpuUs, treeCpuUs } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';
import type { BenchServers } from '../servers.ts';

const ACCOUNTS = 500;
const JOBS = 100;
const OWNER = { accountId: newUuid() as AccountId, deploymentId: MANAGED_DEPLOYMENT_ID };
const GRANTED = 1_000_000;
const TURNS = 4;

/** Rows L1 and L2: the check of credits, beside one plain read of the entries and of their jobs' events. */
export async function measureLedger({ floorDatabase: { url, serverPid } }: BenchServers): Promise<Sample> {
  const jobs = await startJobs(url);
  const owner = jobs.database.ownerPool;
  try {
    await runPricedJob(jobs);
    // It would number and publish the copied events beside the check.
    await jobs.stopService();
    await copyLedgers(async (sql) => await owner.query(sql), { accounts: ACCOUNTS, jobs: JOBS });
    // As it is done to stored rows after a while; the first reader of new ones would mark each as committed.
    await owner.query('vacuum analyze jobs.event, jobs.ledger');
    const read = await timed(() => readOnce(owner));
    const cpu = (): number => cpuUs(process.pid) + treeCpuUs(serverPid);
    let [rate, cpuOfEntry] = [0, Number.POSITIVE_INFINITY];
    // The first turns of a process pay for its compiler.
    for (let turn = 0; turn < TURNS; turn++) {
      const before = cpu();
      rate = Math.max(rate, await timed(async () => await checkAll(jobs)));
      cpuOfEntry = Math.min(cpuOfEntry, (cpu() - before) / (ACCOUNTS * (2 * JOBS + 1)));
    }
    return { 'ledger-check.rate': rate, 'ledger-check.cpu': cpuOfEntry, 'ledger-read.rate': read };
  } finally {
    await jobs.close();
  }
}

async function checkAll(jobs: JobsProcess): Promise<number> {
  const { accounts, entries, problems } = await checkCredits(jobs.database.pool(JOBS_ROLE));
  if (problems.length > 0 || accounts !== ACCOUNTS + 1) throw new Error(`${accounts} accounts: ${problems[0]}`);
  return entries;
}

async function timed(work: () => Promise<number>): Promise<number> {
  const began = performance.now();
  const entries = await work();
  return entries / ((performance.now() - began) / 1000);
}

async function runPricedJob(jobs: JobsProcess): Promise<void> {
  await jobs.credits.setPrice(OWNER.deploymentId, { perJob: 2, perSecond: 0.001 });
  await jobs.credits.grant(OWNER.accountId, { amount: GRANTED, note: null });
  await finishOneJob(jobs, OWNER);
}

/** The least that a check has to read, in one statement: each entry, and the events of its job. */
async function readOnce(owner: Pool): Promise<number> {
  const client = await owner.connect();
  try {
    let entries = 0;
    const read = `select l.account_id, l.entry_id, l.amount, l.balance, e.data
      from jobs.ledger l left join jobs.event e on e.stream_id = l.job_id and l.kind = 'settle'
      order by l.account_id, l.entry_id`;
    let last = -1n;
    await copyRows(client, read, (row) => {
      if (!row.isNull(4)) JSON.parse(row.text(4));
      if (row.int64(1) !== last) entries += 1;
      last = row.int64(1);
    });
    return entries;
  } finally {
    client.release();
  }
}
