import { Injectable } from '@nestjs/common';
import type { CommitItem } from '../commit-job-events/change-plan.js';
import { committedJob, shown } from '../commit-job-events/change-plan.js';
import { CommittedJobs } from '../commit-job-events/committed-job.js';
import type { VisibleJob } from '@heddle/jobs-domain';
import { KnownWorkflows } from '../known-jobs/known-workflows.js';
import { LeaseAtOnce } from '../lease-job/lease-at-once.js';
import { KeepCredentials } from '../seal-credentials/keep-credentials.js';
import type { SealedCredentials } from '../seal-credentials/sealed-credentials.js';
import type { PlannedSubmission } from './plan-submission.js';
import type { BatchVerdict } from './submission-batch.js';

/** What the statement of a submission writes besides its item. */
interface Prepared {
  readonly lease: CommitItem | null;
  readonly sealed: SealedCredentials | null;
}

export type CreatedVerdict = Extract<BatchVerdict, { kind: 'created' }>;

/** Prepares a submitted job for its worker: credentials, workflow and, if a worker waits, the lease. */
@Injectable()
export class JobHandOver {
  constructor(
    private readonly workflows: KnownWorkflows,
    private readonly credentials: KeepCredentials,
    private readonly committed: CommittedJobs,
    private readonly leases: LeaseAtOnce,
  ) {}

  /**
   * Call it before the commit: afterwards a worker may ask for the credentials at any time. The lease is null
   * if no worker waits, or if the submission shares its statement, because those are many,
   * and so are their leases.
   */
  prepare({ principal, submission, plan }: PlannedSubmission, isLone: boolean): Prepared {
    const { jobId, credentials } = submission;
    const sealed = this.credentials.keep(principal.deploymentId, jobId, credentials);
    const job = { jobId, ...principal, state: plan.after };
    return { sealed, lease: isLone ? this.leases.plan(job, credentials !== null) : null };
  }

  /** The job was not created now. If it may exist all the same, its credentials stay, and SweepVault asks about them later. */
  async withdraw(
    { submission }: PlannedSubmission,
    lease: CommitItem | null,
    verdict: BatchVerdict | null,
  ): Promise<void> {
    if (lease !== null) await this.leases.withdraw(lease, false);
    if (verdict !== null && leavesNothing(verdict)) this.credentials.destroy(submission.jobId);
  }

  /** Call it after the commit. Returns the state after the submission. */
  async publish(planned: PlannedSubmission, verdict: CreatedVerdict, lease: CommitItem | null): Promise<VisibleJob> {
    const { principal, submission, item, plan } = planned;
    const { accountId, deploymentId } = principal;
    const ids = { jobId: submission.jobId, accountId, deploymentId };
    const committed = committedJob(ids, plan, new Date(verdict.createdAtMs).toISOString());
    const after = shown(committed.after);
    this.workflows.put(after.facts.submission.workflowHash, item.workflow);
    const leasedAtMs = lease === null ? null : verdict.leasedAtMs;
    if (lease !== null && leasedAtMs === null) await this.leases.withdraw(lease, false);
    this.committed.publish(committed);
    if (lease !== null && leasedAtMs === 'unknown') await this.leases.withdraw(lease, true);
    if (lease !== null && typeof leasedAtMs === 'number') {
      const parts = { workflow: item.workflow, credentials: submission.credentials };
      await this.leases.keep({ ...ids, state: after }, lease, leasedAtMs, parts);
    }
    return after;
  }
}

/** The job was not created, is not there from before, and is not about to be planned again. */
function leavesNothing({ kind }: BatchVerdict): boolean {
  return kind === 'key_reuse' || kind === 'queue_full' || kind === 'insufficient_credits' || kind === 'revision_closed';
}
