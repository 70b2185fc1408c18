import { leaseJob } from '@heddle/jobs-domain';
import type { AssetId, JobId, JobInput, JobLease, LeaseRequest } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import type { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import { jobsFailpoint } from '../failpoints.js';
import type { JobsSettings } from '../jobs-settings.js';
import type { KnownJob } from '../known-jobs/known-jobs.js';
import type { KnownWorkflows } from '../known-jobs/known-workflows.js';
import type { CredentialVault } from './credential-vault.js';
import { workflowBytesSql } from './leases.sql.js';

/** Makes a lease of a job that waits: decides, commits, and gathers what its worker needs. */
export class GrantLease {
  constructor(
    private readonly pool: Pool,
    private readonly commit: CommitJobEventsHandler,
    private readonly memory: LeaseMemory,
    private readonly settings: JobsSettings,
  ) {}

  /** null: somebody else has it, it has ended, or it may not run any more. */
  async grant(jobId: JobId, request: LeaseRequest): Promise<JobLease | null> {
    const { workerId, environment } = request;
    const credentials = this.memory.vault.get(jobId);
    const offer = {
      workerId,
      environment,
      maxRuntimeMs: this.settings.maxRuntimeMs,
      hasCredentials: credentials !== null,
    };
    const { committed, job } = await this.commit.handle(jobId, [
      { decide: (state) => leaseJob(state, offer), workerSequence: null, correlation: workerId },
    ]);
    if (committed === null || job === undefined || job.state.status !== 'running') return null;
    jobsFailpoint('jobs.lease.after-commit');
    const { facts, lease } = job.state;
    return {
      jobId,
      fence: facts.fence,
      accountId: job.accountId,
      deploymentId: job.deploymentId,
      attempt: lease.attempt,
      workflow: await this.#workflow(job),
      nodesTotal: facts.submission.nodesTotal,
      inputs: facts.submission.inputs.map((input): JobInput => ({ ...input, assetId: input.assetId as AssetId })),
      credentials,
      progressFloor: facts.progress?.value ?? 0,
      leaseSeconds: this.settings.leaseMs / 1000,
      maxRuntimeSeconds: lease.maxRuntimeMs / 1000,
      jobExpiresAt: facts.expiresAt,
      traceparent: facts.submission.traceparent,
    };
  }

  async #workflow({ state }: KnownJob): Promise<Uint8Array> {
    if (state.status !== 'running') throw new Error('only a job that runs has a lease');
    const { workflowHash } = state.facts.submission;
    const known = this.memory.workflows.get(workflowHash);
    if (known !== undefined) return known;
    const hash = Buffer.from(workflowHash.slice('blake3:'.length), 'hex');
    const { rows } = await this.pool.query<{ bytes: Buffer }>({
      name: 'workflow-bytes',
      text: workflowBytesSql,
      values: [hash],
    });
    const bytes = rows[0]?.bytes;
    if (bytes === undefined) throw new Error(`the workflow ${workflowHash} of a leased job is gone`);
    this.memory.workflows.put(workflowHash, bytes);
    return bytes;
  }
}

/** What the process remembers of submissions. */
export class LeaseMemory {
  constructor(
    readonly workflows: KnownWorkflows,
    readonly vault: CredentialVault,
  ) {}
}
