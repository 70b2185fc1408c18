import { randomUUID } from 'node:crypto';
import { CREDITS_PORT, JOBS_PORT, newUuid, SELF_HOSTED_PRINCIPAL, WORK_PORT } from '@heddle/contracts-messages';
import type {
  CreditsPort,
  DeploymentId,
  JobId,
  JobLease,
  JobsPort,
  JobSubmission,
  WorkPort,
  WorkSession,
} from '@heddle/contracts-messages';
import { JOBS_MIGRATIONS, JOBS_ROLE, JobsModule } from '@heddle/jobs';
import type { Database } from '@heddle/platform-database';
import type { MessageBus } from '@heddle/platform-message-bus';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { benchDatabase } from './bench-database.ts';
import { tenNodes } from './workflows.ts';

/** Only the jobs service, in this process, with its own database on the floors' server */
export interface JobsProcess {
  readonly jobs: JobsPort;
  readonly credits: CreditsPort;
  /** A worker that takes one job at a time */
  worker(deploymentId?: DeploymentId): BenchWorker;
  /** A connection as the database's owner, to read around the service */
  readonly owner: pg.Client;
  readonly database: Database;
  submission(): JobSubmission;
  /** Restarts the service on the same database, relaying to this bus. */
  restart(bus: MessageBus, between: () => Promise<void>): Promise<void>;
  /** Stops the service, so that a measurement of its database has no other work beside it. */
  stopService(): Promise<void>;
  close(): Promise<void>;
}

export interface BenchWorker {
  readonly session: WorkSession;
  /** Takes one more job; resolves when it is leased. */
  next(): Promise<JobLease>;
}

function workerOf(work: WorkPort, deploymentId: DeploymentId): BenchWorker {
  let leased: (lease: JobLease) => void = () => undefined;
  const session = work.open(
    { workerId: 'bench', environment: 'bench', deploymentId, revision: 0 },
    { leases: ([lease]) => leased(lease!), state: () => undefined },
  );
  const next = (): Promise<JobLease> =>
    new Promise((resolve) => {
      leased = resolve;
      session.offer(1);
    });
  return { session, next };
}

export async function startJobs(serverUrl: string): Promise<JobsProcess> {
  const { database, url, drop } = await benchDatabase(serverUrl, JOBS_MIGRATIONS, JOBS_ROLE);
  const settings = { queueDepth: 10_000_000, queueDepthAccount: 10_000_000 };
  const owner = new pg.Client(url);
  await owner.connect();
  const start = async (bus: { bus?: MessageBus }): Promise<INestApplicationContext> => {
    const module = JobsModule.register({ database, settings, alone: true, ...bus });
    return await NestFactory.createApplicationContext(module, { logger: false });
  };
  let context = await start({});
  let isStopped = false;
  const stopService = async (): Promise<void> => {
    if (!isStopped) await context.close();
    isStopped = true;
  };
  const workflow = Buffer.from(JSON.stringify(tenNodes()));
  return {
    get jobs() {
      return context.get<JobsPort>(JOBS_PORT);
    },
    get credits() {
      return context.get<CreditsPort>(CREDITS_PORT);
    },
    worker: (deploymentId = PRINCIPAL.deploymentId) => workerOf(context.get<WorkPort>(WORK_PORT), deploymentId),
    database,
    owner,
    submission: () => ({
      jobId: newUuid() as JobId,
      idempotencyKey: randomUUID(),
      workflow,
      nodesTotal: 10,
      metadata: {},
      inputs: [],
      credentials: null,
      revision: 0,
      requestId: 'bench',
      traceparent: null,
    }),
    restart: async (bus, between) => {
      await context.close();
      await between();
      context = await start({ bus });
    },
    stopService,
    close: async () => {
      await stopService();
      await owner.end();
      await drop();
    },
  };
}

export const PRINCIPAL = SELF_HOSTED_PRINCIPAL;
