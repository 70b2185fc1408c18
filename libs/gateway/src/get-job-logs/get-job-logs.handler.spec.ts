import { accepted, MANAGED_DEPLOYMENT_ID, newUuid, notFound, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type {
  AccountId,
  Answer,
  DeploymentId,
  DirectoryEntry,
  JobErrorCode,
  JobId,
  JobLog,
  JobStatus,
  JobView,
  LoggedAttempt,
  Principal,
} from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { GetJobLogsHandler } from './get-job-logs.handler.js';

const AT = '2026-01-01T00:00:00.000Z';
const LOG: JobLog = { text: 'a line\n', truncated: false, complete: true, capturedAt: AT };
const principal: Principal = { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };

/** One job with its log. */
class OneJob {
  readonly asked: LoggedAttempt[] = [];
  readonly job: JobView;

  constructor(
    owner: Principal,
    status: JobStatus,
    code: JobErrorCode | null = null,
    readonly log: Answer<JobLog> = accepted(LOG),
  ) {
    const error = code === null ? null : { code, message: 'm', nodeId: null, classType: null, traceback: null };
    const times = { createdAt: AT, updatedAt: AT, startedAt: AT, completedAt: AT, expiresAt: AT };
    const rest = { queuePosition: null, progress: null, outputs: [], queueMs: 1, executionMs: 1, metadata: {} };
    this.job = { id: newUuid() as JobId, ...owner, status, version: 5, fence: 4, error, ...times, ...rest };
  }

  async handle(who: Principal, isDemo = false): Promise<Answer<JobLog | null>> {
    const jobs = {
      get: (principal: Principal, id: JobId) =>
        Promise.resolve(
          id === this.job.id && principal.accountId === this.job.accountId ? accepted(this.job) : notFound(),
        ),
    };
    const logs = {
      read: (_: Principal, ended: LoggedAttempt) => (this.asked.push(ended), Promise.resolve(this.log)),
    };
    const directory = { byId: () => ({ publicDemo: isDemo }) as DirectoryEntry };
    return await new GetJobLogsHandler(jobs, logs, directory).handle(who, this.job.id);
  }
}

describe('the log of a job', () => {
  it.each([
    ['succeeded', null],
    ['failed', 'node_execution_error'],
    ['failed', 'engine_error'],
    ['failed', 'output_limit'],
    ['failed', 'credential_expired'],
  ] as const)('is the one of the attempt that ended it: %s %s', async (status, code) => {
    const one = new OneJob(principal, status, code);
    expect(await one.handle(principal)).toEqual(accepted(LOG));
    expect(one.asked).toEqual([{ jobId: one.job.id, fence: 4, endedAs: code ?? status }]);
  });

  it.each([
    ['queued', null],
    ['running', null],
    ['canceling', null],
    ['canceled', null],
    ['expired', null],
    ['failed', 'timeout'],
    ['failed', 'out_of_memory'],
    ['failed', 'worker_lost'],
    ['failed', 'credential_lost'],
  ] as const)('is absent for a job that is %s %s, without asking for it', async (status, code) => {
    const one = new OneJob(principal, status, code);
    expect(await one.handle(principal)).toEqual(accepted(null));
    expect(one.asked).toEqual([]);
  });

  it('is absent where it was not captured', async () => {
    expect(await new OneJob(principal, 'succeeded', null, notFound()).handle(principal)).toEqual(accepted(null));
  });

  it('is absent on the managed surface, and withheld on a public demo', async () => {
    for (const deploymentId of [MANAGED_DEPLOYMENT_ID, SELF_HOSTED_PRINCIPAL.deploymentId]) {
      const elsewhere = { ...principal, deploymentId };
      const one = new OneJob(elsewhere, 'succeeded');
      expect(await one.handle(elsewhere)).toEqual(accepted(null));
      expect(one.asked).toEqual([]);
    }
    const demo = new OneJob(principal, 'succeeded');
    expect(await demo.handle(principal, true)).toEqual(accepted(null));
    expect(demo.asked).toEqual([]);
  });

  it('answers for a foreign job as the job itself does', async () => {
    const one = new OneJob(principal, 'succeeded');
    const other = { ...principal, accountId: newUuid() as AccountId };
    expect(await one.handle(other)).toEqual(notFound());
    expect(one.asked).toEqual([]);
  });
});
