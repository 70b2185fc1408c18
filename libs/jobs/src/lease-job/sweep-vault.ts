import { Inject, Injectable } from '@nestjs/common';
import type { JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { CredentialVault } from './credential-vault.js';
import { JOBS_POOL } from '../jobs-connections.js';

/** Minimum age of credentials before their job is looked up: the job is committed after them. */
const YOUNG_MS = 60_000;
const MOST = 1_000;

/** Covers lost notifications from other replicas that a job with credentials ended. */
@Injectable()
export class SweepVault {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly vault: CredentialVault,
  ) {}

  async sweep(olderThanMs = YOUNG_MS): Promise<void> {
    const held = this.vault.heldFor(olderThanMs).slice(0, MOST);
    if (held.length === 0) return;
    const { rows } = await this.pool.query<{ job_id: JobId }>(
      'select job_id from jobs.queue where job_id = any($1::uuid[])',
      [plainArray(held)],
    );
    const living = new Set(rows.map((row) => row.job_id));
    for (const jobId of held) if (!living.has(jobId)) this.vault.destroy(jobId);
  }
}
