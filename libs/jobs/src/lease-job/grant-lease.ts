import { Injectable } from '@nestjs/common';
import { leaseJob } from '@heddle/jobs-domain';
import type { JobDecision, JobState } from '@heddle/jobs-domain';
import type { JobId, JobLease, PartnerCredentials, WorkerIdentity } from '@heddle/contracts-messages';
import { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import { KnownTerms } from '../limit-accounts/known-terms.js';
import { UnreadableJobError } from '../known-jobs/unreadable-jobs.js';
import { FindCredentials } from './find-credentials.js';
import { leaseMessage } from './lease-message.js';
import { LeasedWorkflow } from './leased-workflow.js';

type Grant =
  | { readonly kind: 'granted'; readonly lease: JobLease }
  /** Another worker has the job, it has ended, or it may not run any more. */
  | { readonly kind: 'gone' }
  /** The job stays queued: its account has reached its limit of running jobs. */
  | { readonly kind: 'held' }
  /**
   * The job stays queued, for one of three reasons: its credentials are at a replica that has not answered yet, no key
   * opens them, or this build cannot read the job.
   */
  | { readonly kind: 'later' };

/** What is known here of the credentials that a job may carry. `elsewhere`: another replica or a sealed row may hold them. */
type KnownCredentials =
  | { readonly kind: 'here'; readonly credentials: PartnerCredentials }
  | { readonly kind: 'none' }
  | { readonly kind: 'elsewhere' };

const GONE: Grant = { kind: 'gone' };
const HELD: Grant = { kind: 'held' };
const LATER: Grant = { kind: 'later' };

/** Grants a lease of a queued job: decides, commits, and collects what its worker needs. */
@Injectable()
export class GrantLease {
  constructor(
    private readonly commit: CommitJobEventsHandler,
    private readonly workflows: LeasedWorkflow,
    private readonly credentials: FindCredentials,
    private readonly terms: KnownTerms,
  ) {}

  async grant(jobId: JobId, worker: WorkerIdentity): Promise<Grant> {
    try {
      return await this.#grant(jobId, worker);
    } catch (error) {
      if (error instanceof UnreadableJobError) return LATER;
      throw error;
    }
  }

  async #grant(jobId: JobId, worker: WorkerIdentity): Promise<Grant> {
    const first = await this.#commit(jobId, worker, this.#known(jobId, worker));
    if (first.kind !== 'needs_credentials') return first;
    const found = await this.credentials.elsewhere(jobId, worker.deploymentId);
    if (found === 'unknown') return LATER;
    const known: KnownCredentials = found === 'nobody' ? { kind: 'none' } : { kind: 'here', credentials: found };
    const second = await this.#commit(jobId, worker, known);
    if (second.kind === 'gone') this.credentials.destroy(jobId);
    return second.kind === 'needs_credentials' ? LATER : second;
  }

  #known(jobId: JobId, { deploymentId }: WorkerIdentity): KnownCredentials {
    const credentials = this.credentials.here(jobId);
    if (credentials !== null) return { kind: 'here', credentials };
    return { kind: this.credentials.mayBeElsewhere(deploymentId) ? 'elsewhere' : 'none' };
  }

  /** `needs_credentials`: nothing was committed, because another replica or a sealed row may hold the job's credentials. */
  async #commit(
    jobId: JobId,
    worker: WorkerIdentity,
    known: KnownCredentials,
  ): Promise<Grant | { readonly kind: 'needs_credentials' }> {
    const { workerId, environment, deploymentId, revision } = worker;
    let areMissing = false;
    const offer = {
      workerId,
      environment,
      revision,
      maxRuntimeMs: this.terms.of(deploymentId).maxRuntimeMs,
      hasCredentials: known.kind === 'here',
    };
    const decide = (state: JobState): JobDecision => {
      areMissing = known.kind === 'elsewhere' && state.status === 'queued' && state.facts.submission.hasCredentials;
      return areMissing ? { ok: true, events: [] } : leaseJob(state, offer);
    };
    const prefetched = this.workflows.prefetch(jobId);
    const { committed, job, isHeld } = await this.commit.handle(
      jobId,
      [{ decide, workerSequence: null, correlation: workerId }],
      deploymentId,
    );
    if (areMissing) return { kind: 'needs_credentials' };
    // Unless the deployment has another maximum runtime by now.
    if (isHeld === true) return (await this.terms.read(deploymentId)) ? await this.#commit(jobId, worker, known) : HELD;
    if (committed === null || job === undefined || job.state.status !== 'running') return GONE;
    const workflow = await this.workflows.of(job, prefetched);
    const credentials = known.kind === 'here' ? known.credentials : null;
    return { kind: 'granted', lease: leaseMessage(jobId, job, { workflow, credentials }, this.terms.settings) };
  }
}
