import { Injectable } from '@nestjs/common';
import { initial } from '@heddle/jobs-domain';
import type { JobRejection } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { DeploymentId, JobId } from '@heddle/contracts-messages';
import { GroupCommit } from '../group-commit/group-commit.js';
import { KeyMutex } from '../group-commit/key-mutex.js';
import { versionOf, KnownJobs } from '../known-jobs/known-jobs.js';
import type { KnownJob } from '../known-jobs/known-jobs.js';
import { LoadJob } from '../known-jobs/load-job.js';
import { committedJob, planChange } from './change-plan.js';
import type { ChangePlan, CommitItem, Step } from './change-plan.js';
import { CommitBatch } from './commit-batch.js';
import type { CommitVerdict } from './commit-batch.js';
import { CommittedJobs } from './committed-job.js';
import type { CommittedJob } from './committed-job.js';

interface ChangedJob {
  /** The current state; undefined if there is no such job. */
  readonly job: KnownJob | undefined;
  /** Per step: why it changed nothing, or null. */
  readonly rejections: readonly (JobRejection | null)[];
  /** The committed change; null if there was nothing to commit. */
  readonly committed: CommittedJob | null;
  /** A lease that limits do not allow as it was planned: nothing was committed. */
  readonly isHeld?: true;
}

const ATTEMPTS = 5;
const STATEMENTS_IN_FLIGHT = 2;

/** Others changed the job before each of the attempts. Nothing was appended: the caller may retry. */
class JobContendedError extends Error {
  override readonly name = 'JobContendedError';
  constructor(jobId: JobId) {
    super(
      `job ${jobId} was changed by others ${ATTEMPTS} times in a row; nothing was changed, and the request may be repeated`,
    );
  }
}

/** Loads, decides, and appends under the version that was read; retries a conflict a bounded number of times. */
@Injectable()
export class CommitJobEventsHandler {
  readonly #group: GroupCommit<CommitItem, CommitVerdict>;
  readonly #mutex = new KeyMutex();

  constructor(
    private readonly load: LoadJob,
    private readonly known: KnownJobs,
    private readonly committedJobs: CommittedJobs,
    batch: CommitBatch,
  ) {
    this.#group = new GroupCommit(async (items) => await batch.write(items), {
      batchSize: 128,
      inFlight: STATEMENTS_IN_FLIGHT,
    });
  }

  /** `pool`: the deployment of the worker whose steps these are; they change no job of another one. */
  async handle(jobId: JobId, steps: readonly Step[], pool: DeploymentId | null = null): Promise<ChangedJob> {
    return await this.#mutex.run(jobId, async () => await this.#change(jobId, steps, pool));
  }

  async #change(jobId: JobId, steps: readonly Step[], pool: DeploymentId | null): Promise<ChangedJob> {
    const remembered = this.known.get(jobId);
    let job = remembered ?? (await this.load.load(jobId));
    // A job never changes its deployment.
    if (job !== undefined && pool !== null && job.deploymentId !== pool) {
      return { job: undefined, rejections: steps.map(() => 'stale_fence'), committed: null };
    }
    let isSure = remembered === undefined;
    let trouble: unknown = new JobContendedError(jobId);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      let plan = planChange(job?.state ?? initial, steps, newUuid);
      if (!isSure && job !== undefined && changesLess(plan)) {
        job = await this.#current(jobId, job);
        isSure = true;
        plan = planChange(job?.state ?? initial, steps, newUuid);
      }
      if (job === undefined || plan.events.length === 0) {
        return { job, rejections: plan.rejections, committed: null };
      }
      const verdict = await this.#group.add({ jobId, accountId: job.accountId, deploymentId: job.deploymentId, plan });
      if (verdict.kind === 'committed') return this.#settled(jobId, job, plan, verdict.recordedAt);
      if (verdict.kind === 'held') return { job, rejections: plan.rejections, committed: null, isHeld: true };
      if (verdict.kind === 'unknown' || verdict.kind === 'failed') trouble = verdict.error;
      this.known.evict(jobId);
      job = await this.load.load(jobId);
      isSure = true;
      if (verdict.kind === 'unknown') {
        const recordedAt = await this.load.recordedAt(jobId, plan.events[0]!.eventId);
        if (recordedAt !== null && job !== undefined)
          return this.#settled(jobId, { ...job, state: plan.before }, plan, recordedAt);
      }
    }
    throw trouble;
  }

  /** The cached state if nobody else has changed the job since, otherwise the log's. */
  async #current(jobId: JobId, job: KnownJob): Promise<KnownJob | undefined> {
    if ((await this.load.version(jobId)) === versionOf(job.state)) return job;
    this.known.evict(jobId);
    return await this.load.load(jobId);
  }

  #settled(jobId: JobId, job: KnownJob, plan: ChangePlan, recordedAt: string): ChangedJob {
    const { accountId, deploymentId } = job;
    const committed = committedJob({ jobId, accountId, deploymentId }, plan, recordedAt);
    this.committedJobs.publish(committed);
    return { job: { accountId, deploymentId, state: committed.after }, rejections: plan.rejections, committed };
  }
}

/**
 * True if some step changes nothing: valid only if the state was current. What is appended is checked by the append
 * itself.
 */
function changesLess({ events, rejections }: ChangePlan): boolean {
  return events.length === 0 || rejections.some((rejection) => rejection !== null);
}
