import { Injectable } from '@nestjs/common';
import { leaseJob } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import { committedJob, planChange } from '../commit-job-events/change-plan.js';
import type { CommitItem } from '../commit-job-events/change-plan.js';
import { CommittedJobs } from '../commit-job-events/committed-job.js';
import { JobsSettings } from '../settings.js';
import type { KnownJob } from '../known-jobs/known-jobs.js';
import { HandBackLeaseHandler } from './hand-back-lease.handler.js';
import { LeaseDispatcher } from './lease-dispatcher.js';
import { leaseMessage } from './lease-message.js';
import type { LeaseParts } from './lease-message.js';

/** A job that was just submitted, with the state that its submission led to. */
export interface NewJob extends KnownJob {
  readonly jobId: JobId;
}

/**
 * Leases a job in the transaction of its submission, where a worker waits for one: it starts one commit sooner
 * (docs/decisions/0024). The decision is the domain's and the text that of every lease; jobs that wait come first.
 */
@Injectable()
export class LeaseAtOnce {
  constructor(
    private readonly dispatcher: LeaseDispatcher,
    private readonly handBack: HandBackLeaseHandler,
    private readonly committed: CommittedJobs,
    private readonly settings: JobsSettings,
  ) {}

  /** The lease to be committed with the submission; null where no worker waits. `keep` or `withdraw` follows. */
  plan({ jobId, accountId, deploymentId, state }: NewJob, hasCredentials: boolean): CommitItem | null {
    const worker = this.dispatcher.promise(jobId, deploymentId);
    if (worker === null) return null;
    const { workerId, environment } = worker;
    const offer = { workerId, environment, maxRuntimeMs: this.settings.maxRuntimeMs, hasCredentials };
    const decide = (job: JobState) => leaseJob(job, offer);
    const plan = planChange(state, [{ decide, workerSequence: null, correlation: workerId }], newUuid);
    return { jobId, accountId, deploymentId, plan };
  }

  /** After the commit, when everybody knows of the submission: `job` is what it led to. */
  async keep(job: NewJob, lease: CommitItem, leasedAtMs: number, parts: LeaseParts): Promise<void> {
    // Planned on the provisional instant of the submission.
    const plan = { ...lease.plan, before: job.state };
    const committed = committedJob(job, plan, new Date(leasedAtMs).toISOString());
    this.committed.publish(committed);
    await this.dispatcher.keep(leaseMessage(job.jobId, { ...job, state: committed.after }, parts, this.settings));
  }

  /** It was not leased, or nobody knows: what the rows say then goes back to the queue. Never rejects: the submission stands. */
  async withdraw({ jobId, plan }: CommitItem, isUnknown: boolean): Promise<void> {
    const worker = this.dispatcher.withdraw(jobId);
    const { after } = plan;
    if (isUnknown && worker !== null && after.status === 'running') {
      // Where this fails too, the worker's heartbeats show that it never had the lease (UnnamedLeases).
      await this.handBack.handle(worker, { jobId, fence: after.facts.fence }).catch(() => undefined);
    }
  }
}
