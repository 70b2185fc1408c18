import { Injectable } from '@nestjs/common';
import { leaseJob } from '@heddle/jobs-domain';
import type { JobDecision, JobState } from '@heddle/jobs-domain';
import type { JobId, JobLease, PartnerCredentials, WorkerIdentity } from '@heddle/contracts-messages';
import { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import { JobsSettings } from '../settings.js';
import { UnreadableJobError } from '../known-jobs/unreadable-jobs.js';
import { FindCredentials } from './find-credentials.js';
import { leaseMessage } from './lease-message.js';
import { LeasedWorkflow } from './leased-workflow.js';

/** Grants a lease of a queued job: decides, commits, and collects what its worker needs. */
@Injectable()
export class GrantLease {
  constructor(
    private readonly commit: CommitJobEventsHandler,
    private readonly workflows: LeasedWorkflow,
    private readonly credentials: FindCredentials,
    private readonly settings: JobsSettings,
  ) {}

  /**
   * null: another worker has the job, it has ended, or it may not run any more. `later`: its credentials are with a
   * replica that did not answer; the job stays queued until that replica answers or is gone. Also `later`: this build
   * cannot read the job.
   */
  async grant(jobId: JobId, worker: WorkerIdentity): Promise<JobLease | null | 'later'> {
    try {
      return await this.#grant(jobId, worker);
    } catch (error) {
      if (error instanceof UnreadableJobError) return 'later';
      throw error;
    }
  }

  async #grant(jobId: JobId, worker: WorkerIdentity): Promise<JobLease | null | 'later'> {
    const { credentials } = this;
    const here = credentials.here(jobId);
    if (here !== null || !credentials.mayBeElsewhere) return await this.#commit(jobId, worker, here);
    const lease = await this.#commit(jobId, worker, 'not here');
    if (lease !== 'not here') return lease;
    const found = await credentials.elsewhere(jobId);
    if (found === 'unknown') return 'later';
    const granted = await this.#commit(jobId, worker, found === 'nobody' ? null : found);
    if (granted === null) credentials.forget(jobId);
    return granted;
  }

  async #commit<Here extends PartnerCredentials | null | 'not here'>(
    jobId: JobId,
    { workerId, environment }: WorkerIdentity,
    credentials: Here,
  ): Promise<JobLease | null | Extract<Here, 'not here'>> {
    let areMissing = false;
    const hasCredentials = credentials !== null && credentials !== 'not here';
    const offer = { workerId, environment, maxRuntimeMs: this.settings.maxRuntimeMs, hasCredentials };
    const decide = (state: JobState): JobDecision => {
      areMissing = credentials === 'not here' && state.status === 'queued' && state.facts.submission.hasCredentials;
      return areMissing ? { ok: true, events: [] } : leaseJob(state, offer);
    };
    const prefetched = this.workflows.prefetch(jobId);
    const { committed, job } = await this.commit.handle(jobId, [
      { decide, workerSequence: null, correlation: workerId },
    ]);
    if (areMissing) return credentials as Extract<Here, 'not here'>;
    if (committed === null || job === undefined || job.state.status !== 'running') return null;
    const workflow = await this.workflows.of(job, prefetched);
    const known: PartnerCredentials | null = credentials === 'not here' ? null : credentials;
    return leaseMessage(jobId, job, { workflow, credentials: known }, this.settings);
  }
}
