import { Inject, Injectable } from '@nestjs/common';
import type { JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { KnownJobs } from '../known-jobs/known-jobs.js';
import type { KnownJob } from '../known-jobs/known-jobs.js';
import { KnownWorkflows } from '../known-jobs/known-workflows.js';
import { workflowBytesSql, workflowOfJobSql } from './leases.sql.js';

/** The bytes of a leased job's workflow, from memory or from their row. */
@Injectable()
export class LeasedWorkflow {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly jobs: KnownJobs,
    private readonly workflows: KnownWorkflows,
  ) {}

  /** Reads the bytes while the lease is committed, if the job was submitted at another replica; otherwise null. */
  prefetch(jobId: JobId): Promise<void> | null {
    return this.jobs.get(jobId) === undefined ? this.#prefetch(jobId) : null;
  }

  async of({ state }: KnownJob, prefetched: Promise<void> | null): Promise<Uint8Array> {
    if (state.status !== 'running') throw new Error('only a job that runs has a lease');
    const { workflowHash } = state.facts.submission;
    if (prefetched !== null && this.workflows.get(workflowHash) === undefined) await prefetched;
    const known = this.workflows.get(workflowHash);
    if (known !== undefined) return known;
    const hash = Buffer.from(workflowHash.slice('blake3:'.length), 'hex');
    const { rows } = await this.pool.query<{ bytes: Buffer }>({
      name: 'workflow-bytes',
      text: workflowBytesSql,
      values: [hash],
    });
    const bytes = rows[0]?.bytes;
    if (bytes === undefined) throw new Error(`the workflow ${workflowHash} of a leased job is gone`);
    this.workflows.put(workflowHash, bytes);
    return bytes;
  }

  /** After a failure the workflow is not in memory, so it is read again. */
  async #prefetch(jobId: JobId): Promise<void> {
    const query = { name: 'workflow-of-job', text: workflowOfJobSql, values: [jobId] };
    const answer = await this.pool.query<{ hash: Buffer; bytes: Buffer }>(query).catch(() => null);
    const row = answer?.rows[0];
    if (row !== undefined) this.workflows.put(`blake3:${row.hash.toString('hex')}`, row.bytes);
  }
}
