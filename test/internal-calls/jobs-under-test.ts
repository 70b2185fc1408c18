import 'reflect-metadata';
import {
  CREDITS_PORT,
  JOB_LIMITS_PORT,
  JOB_LOG_PORT,
  JOBS_PORT,
  LEASE_AUTHORITY_PORT,
  newUuid,
  PEERS_PORT,
  TASK_CREDITS_PORT,
  WORK_PORT,
} from '@heddle/contracts-messages';
import type {
  AccountId,
  CreditsPort,
  DeploymentId,
  JobId,
  JobLease,
  JobLimitsPort,
  JobLogPort,
  JobsPort,
  JobSubmission,
  LeaseAuthorityPort,
  LeaseKey,
  PeersPort,
  Principal,
  ServedWorkPort,
  TaskCreditsPort,
} from '@heddle/contracts-messages';
import { JOBS_MIGRATIONS, JOBS_ROLE, JobsModule } from '@heddle/jobs';
import type { JobsModuleOptions } from '@heddle/jobs';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { NestFactory } from '@nestjs/core';

/** The jobs service with its own database */
export interface JobsUnderTest {
  readonly jobs: JobsPort;
  readonly credits: CreditsPort;
  readonly taskCredits: TaskCreditsPort;
  readonly work: ServedWorkPort;
  readonly jobLimits: JobLimitsPort;
  readonly jobLog: JobLogPort;
  readonly leaseAuthority: LeaseAuthorityPort;
  readonly peers: PeersPort;
  /** Its name among replicas */
  readonly instanceId: string;
  close(): Promise<void>;
}

export async function jobsDatabase(): Promise<TestDatabase> {
  return await freshDatabase({ migrations: [JOBS_MIGRATIONS], poolSizes: { [JOBS_ROLE]: 8 } });
}

export async function openJobs(
  { database }: TestDatabase,
  options: Partial<JobsModuleOptions> = {},
): Promise<JobsUnderTest> {
  const module = JobsModule.register({ database, ...options });
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  return {
    jobs: context.get<JobsPort>(JOBS_PORT),
    credits: context.get<CreditsPort>(CREDITS_PORT),
    taskCredits: context.get<TaskCreditsPort>(TASK_CREDITS_PORT),
    work: context.get<ServedWorkPort>(WORK_PORT),
    jobLimits: context.get<JobLimitsPort>(JOB_LIMITS_PORT),
    jobLog: context.get<JobLogPort>(JOB_LOG_PORT),
    leaseAuthority: context.get<LeaseAuthorityPort>(LEASE_AUTHORITY_PORT),
    peers: context.get<PeersPort>(PEERS_PORT),
    instanceId: 'one',
    close: async () => await context.close(),
  };
}

export function someAccount(): Principal {
  return { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };
}

export function submissionOf(changes: Partial<JobSubmission> = {}): JobSubmission {
  return {
    jobId: newUuid() as JobId,
    idempotencyKey: null,
    workflow: Buffer.from('{"1":{"class_type":"EmptyImage","inputs":{"seed":18446744073709551615}}}'),
    nodesTotal: 1,
    metadata: {},
    inputs: [],
    credentials: null,
    revision: 0,
    requestId: 'request-1',
    traceparent: null,
    ...changes,
  };
}

/** Leases a job of the account's deployment to a worker of this name, and closes the worker's session. */
export async function leasedBy(work: ServedWorkPort, { deploymentId }: Principal, workerId: string): Promise<JobLease> {
  const leased = Promise.withResolvers<JobLease>();
  const identity = { workerId, environment: 'builtin/0.1.0', deploymentId, revision: 0 };
  const session = work.open(identity, { leases: ([lease]) => leased.resolve(lease!), state: () => undefined });
  session.offer(1);
  const lease = await leased.promise;
  await session.close();
  return lease;
}

export async function handBack(
  work: ServedWorkPort,
  { deploymentId }: Principal,
  workerId: string,
  lease: LeaseKey,
): Promise<void> {
  const identity = { workerId, environment: 'builtin/0.1.0', deploymentId, revision: 0 };
  const session = work.open(identity, { leases: () => undefined, state: () => undefined });
  await session.handBack(lease);
  await session.close();
}

/** Waits for a condition. */
export async function until(question: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    if (await question()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${what} did not happen in 20 s`);
}
