import { NestFactory } from '@nestjs/core';
import { JOBS_PORT, newUuid, WORK_PORT } from '@heddle/contracts-messages';
import type {
  AccountId,
  Answer,
  AssetId,
  DeploymentId,
  DurableReport,
  JobId,
  JobLease,
  JobOutput,
  JobProgress,
  JobsPort,
  JobSubmission,
  JobView,
  Principal,
  ProgressReported,
  WorkPort,
} from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { checkCredits } from '../check-credits/check-credits.js';
import { JOBS_MIGRATIONS, JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import type { JobsSettings } from '../settings.js';
import { JobsModule } from '../jobs.module.js';
import type { JobsModuleOptions } from '../jobs-module-options.js';
import { verifyHistory } from '../verify-history/verify-history.js';
import { WorkerFixture } from './worker.fixture.js';
import type { LeaseRequest } from './worker.fixture.js';

/** The jobs service on a separate database, for one test file. */
export interface OpenJobs {
  readonly jobs: JobsPort;
  readonly leases: WorkerFixture;
  readonly get: <T>(token: symbol | (abstract new (...args: never[]) => T)) => T;
  close(): Promise<void>;
}

export async function openDatabase(): Promise<TestDatabase> {
  return await freshDatabase({ migrations: [JOBS_MIGRATIONS], poolSizes: { [JOBS_ROLE]: 8 } });
}

/** Whatever a test did, rows, queue, counters, ledgers and balances must match the log. */
export async function dropConsistent(db: TestDatabase): Promise<void> {
  const { faults } = await verifyHistory(db.pool(JOBS_ROLE));
  const { problems } = await checkCredits(db.pool(JOBS_ROLE));
  await db.drop();
  const wrong = [...faults.map(({ message }) => message), ...problems];
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

export async function openJobs(
  { database }: { readonly database: JobsModuleOptions['database'] },
  settings: Partial<JobsSettings> = {},
  options: Partial<JobsModuleOptions> = {},
): Promise<OpenJobs> {
  // Tests move the clock to end leases.
  const trusting = { clockToleranceMs: Number.POSITIVE_INFINITY, rescueToleranceMs: Number.POSITIVE_INFINITY };
  const calm = { ...trusting, rescueGraceMs: 0, ...settings };
  const module = JobsModule.register({ database, settings: calm, ...options });
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  const leases = new WorkerFixture(context.get<WorkPort>(WORK_PORT));
  return {
    jobs: context.get<JobsPort>(JOBS_PORT),
    leases,
    get: (token) => context.get(token),
    close: async () => {
      await leases.close();
      await context.close();
    },
  };
}

/** A new account and deployment, so that jobs of other tests do not interfere. */
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

export async function submitted(
  { jobs }: OpenJobs,
  principal: Principal,
  changes: Partial<JobSubmission> = {},
): Promise<JobView> {
  return valueOf(await jobs.submit(principal, submissionOf(changes)));
}

export function valueOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`refused with ${answer.rejection.code}: ${answer.rejection.message}`);
  return answer.value;
}

export function codeOf(answer: Answer<unknown>): string {
  return answer.ok ? 'accepted' : answer.rejection.code;
}

export function leaseRequest(
  { deploymentId }: Principal,
  workerId = 'worker-a',
  changes: Partial<LeaseRequest> = {},
): LeaseRequest {
  return { workerId, environment: 'builtin/0.1.0', deploymentId, slots: 1, waitMs: 20_000, ...changes };
}

export async function leased({ leases }: OpenJobs, principal: Principal, workerId = 'worker-a'): Promise<JobLease> {
  const [lease] = await leases.acquire(leaseRequest(principal, workerId), new AbortController().signal);
  if (lease === undefined) throw new Error(`${workerId} got no lease`);
  return lease;
}

type Body<R> = R extends unknown ? Omit<R, 'jobId' | 'fence' | 'sequence'> : never;
/** A report and the test worker that makes it. */
export type ReportBy = (DurableReport | ProgressReported) & { readonly workerId: string };

export function reportOf(
  { jobId, fence }: JobLease,
  sequence: number,
  body: Body<DurableReport | ProgressReported>,
  workerId = 'worker-a',
): ReportBy {
  return { jobId, fence, sequence, workerId, ...body };
}

export function outputOf(key: string): JobOutput {
  return {
    nodeId: key.split('/')[0]!,
    key,
    name: 'out.png',
    type: 'image',
    contentType: 'image/png',
    sizeBytes: 3,
    assetId: newUuid() as AssetId,
    hash: `blake3:${'a'.repeat(64)}`,
  };
}

export function progressOf(value: number): JobProgress {
  return {
    value,
    nodesDone: 0,
    nodesTotal: 1,
    currentNode: '1',
    currentNodeClass: 'EmptyImage',
    step: null,
    steps: null,
    message: null,
  };
}

export const succeeded = { kind: 'outcome', outcome: { kind: 'succeeded' }, progress: progressOf(1) } as const;

/** Waits for a condition, not for a time. */
export async function until<T>(question: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const answer = await question();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`timed out after 30 s waiting for: ${what}`);
}
