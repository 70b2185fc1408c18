import { Injectable } from '@nestjs/common';
import { leaseJob } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import { committedJob, planChange, shown } from '../commit-job-events/change-plan.js';
import type { CommitItem } from '../commit-job-events/change-plan.js';
import { CommittedJobs } from '../commit-job-events/committed-job.js';
import { KnownTerms } from '../limit-accounts/known-terms.js';
import type { KnownJob } from '../known-jobs/known-jobs.js';
import { HandBackLeaseHandler } from './hand-back-lease.handler.js';
import { LeaseDispatcher } from './lease-dispatcher.js';
import { leaseMessage } from './lease-message.js';
import type { LeaseParts } from './lease-message.js';

/** A new job with the state after its submission. */
interface NewJob extends KnownJob {
  readonly jobId: JobId;
}

/**
 * Leases a job in the transaction of its submission if a worker waits for one, which saves one commit before the start
 * (docs/decisions/0034). The domain decides as for every lease; jobs that already wait come first.
 */
@Injectable()
export class LeaseAtOnce {
  constructor(
    private readonly dispatcher: LeaseDispatcher,
    private readonly handBack: HandBackLeaseHandler,
    private readonly committed: CommittedJobs,
    private readonly terms: KnownTerms,
  ) {}

  /** The lease to commit with the submission; null if no worker waits. Must be followed by `keep` or `withdraw`. */
  plan({ jobId, accountId, deploymentId, state }: NewJob, hasCredentials: boolean): CommitItem | null {
    const worker = this.dispatcher.promise(jobId, { deploymentId, revision: shown(state).facts.submission.revision });
    if (worker === null) return null;
    const { workerId, environment, revision } = worker;
    const { maxRuntimeMs } = this.terms.of(deploymentId);
    const offer = { workerId, environment, revision, maxRuntimeMs, hasCredentials };
    const decide = (job: JobState) => leaseJob(job, offer);
    const plan = planChange(state, [{ decide, workerSequence: null, correlation: workerId }], newUuid);
    return { jobId, accountId, deploymentId, plan };
  }

  /** After the commit and its notifications: `job` is the resulting state. */
  async keep(job: NewJob, lease: CommitItem, leasedAtMs: number, parts: LeaseParts): Promise<void> {
    // Planned with the provisional time of the submission.
    const plan = { ...lease.plan, before: job.state };
    const committed = committedJob(job, plan, new Date(leasedAtMs).toISOString());
    this.committed.publish(committed);
    await this.dispatcher.keep(leaseMessage(job.jobId, { ...job, state: committed.after }, parts, this.terms.settings));
  }

  /**
   * The lease was not granted, or the outcome is unknown: a lease found in the rows is handed back. Never rejects: the
   * submission stands.
   */
  async withdraw({ jobId, plan }: CommitItem, isUnknown: boolean): Promise<void> {
    const worker = this.dispatcher.withdraw(jobId);
    const { after } = plan;
    if (isUnknown && worker !== null && after.status === 'running') {
      // If this fails too, the worker's heartbeats show that it never had the lease (UnnamedLeases).
      await this.handBack.handle(worker, { jobId, fence: after.facts.fence }).catch(() => undefined);
    }
  }
}
