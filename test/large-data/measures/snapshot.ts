import { JOBS_PORT, WORK_PORT } from '@heddle/contracts-messages';
import type { JobsPort, WorkPort } from '@heddle/contracts-messages';
import { JOBS_ROLE, JobsModule } from '@heddle/jobs';
import { connectDatabase } from '@heddle/platform-database';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { OneJobWorker, submitOne } from './one-job.ts';
import type { Figures } from './timing.ts';

const AT_ONCE = 16;
/** The rate is measured over the last jobs. */
const WINDOW = 2_000;
const GIVEN_UP_MS = 150_000;

/** Measures the rate of submit, lease and end after many jobs, without and with an open snapshot. */
export async function measureSnapshot(databaseUrl: string, jobs: number): Promise<Figures> {
  const before = await rateAfter(databaseUrl, Math.min(jobs, 3 * WINDOW));
  const reader = new pg.Client({ connectionString: databaseUrl });
  await reader.connect();
  try {
    await reader.query('begin transaction isolation level repeatable read read only');
    await reader.query(`set local idle_in_transaction_session_timeout = 0`);
    await reader.query('select count(*) from jobs.queue_depth');
    const after = await rateAfter(databaseUrl, jobs);
    return {
      'jobs per second': before.rate,
      'jobs per second with an open snapshot': after.rate,
      'jobs done with an open snapshot': after.jobs,
      'rate with an open snapshot, share': after.rate / before.rate,
    };
  } finally {
    await reader.end();
  }
}

async function rateAfter(databaseUrl: string, jobs: number): Promise<{ rate: number; jobs: number }> {
  const database = await connectDatabase({
    databaseUrl,
    applicationName: 'heddle-large-data',
    poolSizes: { [JOBS_ROLE]: 8 },
  });
  const settings = { queueDepth: 10_000_000, queueDepthAccount: 10_000_000 };
  const context = await NestFactory.createApplicationContext(JobsModule.register({ database, settings, alone: true }), {
    logger: false,
  });
  try {
    const workers = context.get<WorkPort>(WORK_PORT);
    const port = context.get<JobsPort>(JOBS_PORT);
    const ended: number[] = [];
    const began = performance.now();
    const isOver = (): boolean => ended.length >= jobs || performance.now() - began > GIVEN_UP_MS;
    await Promise.all(
      Array.from(
        { length: AT_ONCE },
        async (_, n) =>
          await work(new OneJobWorker(workers, `large-data-${n}`), port, {
            isOver,
            end: () => ended.push(performance.now()),
          }),
      ),
    );
    const window = Math.min(WINDOW, Math.floor(ended.length / 2));
    return { rate: (window - 1) / ((ended.at(-1)! - ended.at(-window)!) / 1000), jobs: ended.length };
  } finally {
    await context.close();
    await database.close();
  }
}

async function work(worker: OneJobWorker, port: JobsPort, run: { isOver(): boolean; end(): void }): Promise<void> {
  while (!run.isOver()) {
    const next = worker.next();
    await submitOne(port);
    await worker.end(await next);
    run.end();
  }
  await worker.close();
}
