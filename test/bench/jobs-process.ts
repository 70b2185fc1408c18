import { randomUUID } from 'node:crypto';
import { JOBS_PORT, LEASES_PORT, newUuid, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { JobId, JobsPort, JobSubmission, LeaseRequest, LeasesPort } from '@heddle/contracts-messages';
import { JOBS_MIGRATIONS, JOBS_ROLE, JobsModule } from '@heddle/jobs';
import { connectDatabase, migrate } from '@heddle/platform-database';
import type { Database } from '@heddle/platform-database';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { tenNodes } from './workflows.ts';

/** The jobs service alone, in this process, over a database of its own on the floors' server. */
export interface JobsProcess {
  readonly jobs: JobsPort;
  readonly leases: LeasesPort;
  readonly database: Database;
  submission(): JobSubmission;
  close(): Promise<void>;
}

export const WORKER: LeaseRequest = {
  workerId: 'bench',
  environment: 'bench',
  deploymentId: null,
  slots: 1,
  waitMs: 10_000,
};

export async function startJobs(serverUrl: string): Promise<JobsProcess> {
  const name = `bench_${randomUUID().slice(0, 8)}`;
  const admin = new pg.Client(serverUrl);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await connectDatabase({ databaseUrl: url.href, poolSizes: { [JOBS_ROLE]: 8 } });
  await migrate(database, [JOBS_MIGRATIONS]);
  const settings = { queueDepth: 10_000_000, queueDepthAccount: 10_000_000 };
  const module = JobsModule.register({ database, settings, alone: true });
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  const workflow = Buffer.from(JSON.stringify(tenNodes()));
  return {
    jobs: context.get<JobsPort>(JOBS_PORT),
    leases: context.get<LeasesPort>(LEASES_PORT),
    database,
    submission: () => ({
      jobId: newUuid() as JobId,
      idempotencyKey: randomUUID(),
      workflow,
      nodesTotal: 10,
      metadata: {},
      inputs: [],
      credentials: null,
      requestId: 'bench',
      traceparent: null,
    }),
    close: async () => {
      await context.close();
      await database.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

export const PRINCIPAL = SELF_HOSTED_PRINCIPAL;
