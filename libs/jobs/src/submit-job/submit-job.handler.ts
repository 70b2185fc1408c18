import { blake3 } from '@napi-rs/blake-hash';
import { initial, submitJob } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import { accepted, newUuid, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, JobId, JobSubmission, JobView, Principal } from '@heddle/contracts-messages';
import { committedJob, planChange, shown } from '../commit-job-events/change-plan.js';
import type { ChangePlan, CommitItem } from '../commit-job-events/change-plan.js';
import type { CommittedJobs } from '../commit-job-events/committed-job.js';
import { jobView } from '../get-job/job-view.js';
import type { JobsSettings } from '../jobs-settings.js';
import type { KnownWorkflows } from '../known-jobs/known-workflows.js';
import type { CredentialVault } from '../lease-job/credential-vault.js';
import type { LeaseAtOnce } from '../lease-job/lease-at-once.js';
import type { QueuePositions } from '../queue-position/queue-positions.js';
import type { SubmissionQueue } from './submission-queue.js';
import type { SubmissionVerdict } from './submission-batch.js';
import type { SubmissionItem } from './submission-statement.js';

/** What the process remembers of a submission, for the worker that will run it. */
export class SubmissionMemory {
  constructor(
    readonly workflows: KnownWorkflows,
    readonly vault: CredentialVault,
    readonly committed: CommittedJobs,
  ) {}
}

/** POST /api/v2/jobs, from validated graph to durable job. Answers after the commit, and leaves no trace when it refuses. */
export class SubmitJobHandler {
  constructor(
    private readonly queue: SubmissionQueue,
    private readonly positions: QueuePositions,
    private readonly memory: SubmissionMemory,
    private readonly leases: LeaseAtOnce,
    private readonly settings: JobsSettings,
  ) {}

  async handle(principal: Principal, submission: JobSubmission): Promise<Answer<JobView>> {
    const { item, plan } = this.#prepare(principal, submission);
    const { jobId, credentials } = submission;
    // Before the commit: afterwards a worker may ask for them at any moment.
    if (credentials !== null) this.memory.vault.put(jobId, credentials);
    const lease = this.#lease(principal, submission, plan);
    let verdict: SubmissionVerdict | null = null;
    try {
      verdict = await this.queue.submit({ ...item, lease });
    } finally {
      if (verdict?.kind !== 'created' && lease !== null) await this.leases.withdraw(lease, false);
      // Of a submission of which nobody knows, the credentials stay: SweepVault asks about them later.
      if (verdict !== null && verdict.kind !== 'created' && verdict.kind !== 'unknown')
        this.memory.vault.destroy(jobId);
    }
    if (verdict.kind !== 'created') return this.#refusal(verdict);
    return accepted(await this.#created(principal, submission, { item, plan, verdict, lease }));
  }

  /** Of a lone submission alone: those that share a statement are many, and so are their leases. */
  #lease(principal: Principal, { jobId, credentials }: JobSubmission, { after }: ChangePlan): CommitItem | null {
    if (!this.queue.isIdle) return null;
    return this.leases.plan({ jobId, ...principal, state: after }, credentials !== null);
  }

  #prepare(principal: Principal, submission: JobSubmission): Pick<Created, 'item' | 'plan'> {
    const workflow = Buffer.from(
      submission.workflow.buffer,
      submission.workflow.byteOffset,
      submission.workflow.length,
    );
    const hash = blake3(workflow);
    const pairs = Object.entries(submission.metadata);
    const { maxAttempts, retentionMs, maxQueueWaitMs, surface } = this.settings;
    const data = {
      workflowHash: `blake3:${hash.toString('hex')}`,
      nodesTotal: submission.nodesTotal,
      inputs: submission.inputs,
      metadata: submission.metadata,
      idempotencyKey: submission.idempotencyKey,
      hasCredentials: submission.credentials !== null,
      maxAttempts: submission.credentials === null ? maxAttempts : 1,
      retentionMs,
      maxQueueWaitMs,
      surface,
      traceparent: submission.traceparent,
    };
    const correlation = submission.requestId;
    const step = { decide: (job: JobState) => submitJob(job, data), workerSequence: null, correlation };
    const plan = planChange(initial, [step], newUuid);
    const [first] = plan.events;
    if (first === undefined) throw new Error('the domain refused to submit a job that does not exist yet');
    const item = {
      jobId: submission.jobId,
      eventId: first.eventId,
      accountId: principal.accountId,
      deploymentId: principal.deploymentId,
      key: submission.idempotencyKey,
      metadata: JSON.stringify(submission.metadata),
      labels: pairs.length === 0 ? null : pairs.map(([key, value]) => `${key}=${value}`).join('\u001f'),
      correlation,
      traceparent: submission.traceparent,
      hash,
      event: Buffer.from(JSON.stringify(first.event.data)),
      workflow,
    };
    return { item, plan };
  }

  async #created(
    principal: Principal,
    submission: JobSubmission,
    { item, plan, verdict, lease }: Created,
  ): Promise<JobView> {
    const { jobId } = submission;
    const { accountId, deploymentId } = principal;
    const ids = { jobId, accountId, deploymentId };
    const committed = committedJob(ids, plan, new Date(verdict.createdAtMs).toISOString());
    const after = shown(committed.after);
    this.memory.workflows.put(after.facts.submission.workflowHash, item.workflow);
    const leasedAtMs = lease === null ? null : verdict.leasedAtMs;
    if (lease !== null && leasedAtMs === null) await this.leases.withdraw(lease, false);
    this.memory.committed.publish(committed);
    if (lease !== null && leasedAtMs === 'unknown') await this.leases.withdraw(lease, true);
    if (lease !== null && typeof leasedAtMs === 'number') {
      const parts = { workflow: item.workflow, credentials: submission.credentials };
      await this.leases.keep({ ...ids, state: after }, lease, leasedAtMs, parts);
    }
    return jobView({ ...ids, state: after }, await this.#place(jobId, principal, verdict));
  }

  /** The job is durable: whatever happens to this question, the answer is that it was created. */
  async #place(jobId: JobId, principal: Principal, { place, rank }: CreatedVerdict): Promise<number> {
    if (rank === place) return place;
    return (await this.positions.ofSubmitted(jobId, principal, rank).catch(() => null)) ?? place;
  }

  #refusal(verdict: Exclude<SubmissionVerdict, CreatedVerdict>): Answer<never> {
    switch (verdict.kind) {
      case 'key_reuse':
        return rejected(refuse('idempotency_key_reuse', { case: 'submission' }));
      case 'queue_full':
        return rejected(
          refuse('queue_full', { case: 'depth' }, { retryAfterSeconds: this.settings.queueFullRetrySeconds }),
        );
      case 'unknown':
        return rejected(refuse('upstream_error', { case: 'submission_unknown' }));
    }
  }
}

type CreatedVerdict = Extract<SubmissionVerdict, { kind: 'created' }>;

interface Created {
  readonly item: Omit<SubmissionItem, 'lease'>;
  readonly plan: ChangePlan;
  readonly verdict: CreatedVerdict;
  readonly lease: CommitItem | null;
}
