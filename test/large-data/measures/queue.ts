import { JOBS_PORT, WORK_PORT } from '@heddle/contracts-messages';
import type { JobsPort, WorkPort } from '@heddle/contracts-messages';
import { JOBS_ROLE, JobsModule } from '@heddle/jobs';
import { connectDatabase } from '@heddle/platform-database';
import { NestFactory } from '@nestjs/core';
import { recordStatements } from '../recorded-statements.ts';
import type { RecordedStatements } from '../recorded-statements.ts';
import { OneJobWorker, submitOne } from './one-job.ts';
import { quantile, repeated, timed } from './timing.ts';
import type { Figures } from './timing.ts';

const LEASES = 40;
/** Recognizes the statement that finds candidates, by its table */
const LOOK = /queue_depth/;

/** Runs the jobs service in this process, to time single statements: queue positions, lease queries, job ends. */
export async function measureQueue(databaseUrl: string): Promise<Figures> {
  const database = await connectDatabase({
    databaseUrl,
    applicationName: 'heddle-large-data',
    poolSizes: { [JOBS_ROLE]: 8 },
  });
  const recorded = recordStatements(database);
  const settings = { queueDepth: 10_000_000, queueDepthAccount: 10_000_000 };
  const context = await NestFactory.createApplicationContext(
    JobsModule.register({ database: recorded.database, settings, alone: true }),
    { logger: false },
  );
  try {
    const jobs = context.get<JobsPort>(JOBS_PORT);
    const waiting = await Promise.all(Array.from({ length: 100 }, async () => await submitOne(jobs)));
    await jobs.queuePositions(waiting.slice(0, 1));
    const positions = await repeated(10, () => jobs.queuePositions(waiting));
    const { looks, ends } = await leaseAndEnd(context.get<WorkPort>(WORK_PORT), recorded);
    return {
      'positions of 100 waiting jobs p50': quantile(positions, 0.5),
      'a look for a lease p50': quantile(looks, 0.5),
      'job end p50': quantile(ends, 0.5),
    };
  } finally {
    await context.close();
    await database.close();
  }
}

async function leaseAndEnd(work: WorkPort, recorded: RecordedStatements): Promise<{ looks: number[]; ends: number[] }> {
  const worker = new OneJobWorker(work, 'large-data');
  const ends: number[] = [];
  recorded.clear();
  for (let n = 0; n < LEASES; n += 1) {
    const lease = await worker.next();
    ends.push(await timed(() => worker.end(lease)));
  }
  await worker.close();
  const looks = recorded.all().filter(({ text }) => LOOK.test(text) && !/submit_jobs|commit_changes|sum\(/.test(text));
  return { looks: looks.map(({ ms }) => ms), ends };
}
