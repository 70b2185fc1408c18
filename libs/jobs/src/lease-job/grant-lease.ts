import { leaseJob } from '@heddle/jobs-domain';
import type { JobDecision, JobState } from '@heddle/jobs-domain';
import type { JobId, JobLease, PartnerCredentials, WorkerIdentity } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import type { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import type { JobsSettings } from '../jobs-settings.js';
import type { KnownJob, KnownJobs } from '../known-jobs/known-jobs.js';
import type { KnownWorkflows } from '../known-jobs/known-workflows.js';
import { UnreadableJobError } from '../known-jobs/unreadable-jobs.js';
import type { FindCredentials } from './find-credentials.js';
import { leaseMessage } from './lease-message.js';
import { workflowBytesSql, workflowOfJobSql } from './leases.sql.js';

/** Makes a lease of a job that waits: decides, commits, and gathers what its worker needs. */
export class GrantLease {
  constructor(
    private readonly pool: Pool,
    private readonly commit: CommitJobEventsHandler,
    private readonly memory: LeaseMemory,
    private readonly settings: JobsSettings,
  ) {}

  /**
   * null: somebody else has it, it has ended, or it may not run any more. `later`: its credentials lie with a replica that
   * did not answer; it stays in the queue until that one does or is gone. Also `later`: this build cannot read the job.
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
    const { credentials } = this.memory;
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
    // Submitted at another replica: the bytes come while the lease is decided and committed.
    const ahead = this.memory.jobs.get(jobId) === undefined ? this.#fetchAhead(jobId) : null;
    const { committed, job } = await this.commit.handle(jobId, [
      { decide, workerSequence: null, correlation: workerId },
    ]);
    if (areMissing) return credentials as Extract<Here, 'not here'>;
    if (committed === null || job === undefined || job.state.status !== 'running') return null;
    const workflow = await this.#workflow(job, ahead);
    const known: PartnerCredentials | null = credentials === 'not here' ? null : credentials;
    return leaseMessage(jobId, job, { workflow, credentials: known }, this.settings);
  }

  /** Whether it came shows in the memory; where it did not, it is asked for again. */
  async #fetchAhead(jobId: JobId): Promise<void> {
    const query = { name: 'workflow-of-job', text: workflowOfJobSql, values: [jobId] };
    const answer = await this.pool.query<{ hash: Buffer; bytes: Buffer }>(query).catch(() => null);
    const row = answer?.rows[0];
    if (row !== undefined) this.memory.workflows.put(`blake3:${row.hash.toString('hex')}`, row.bytes);
  }

  async #workflow({ state }: KnownJob, ahead: Promise<void> | null): Promise<Uint8Array> {
    if (state.status !== 'running') throw new Error('only a job that runs has a lease');
    const { workflowHash } = state.facts.submission;
    if (ahead !== null && this.memory.workflows.get(workflowHash) === undefined) await ahead;
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
    readonly jobs: KnownJobs,
    readonly workflows: KnownWorkflows,
    readonly credentials: FindCredentials,
  ) {}
}
