import { Inject, Injectable } from '@nestjs/common';
import type { JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { plainArray } from '../group-commit/byte-arena.js';
import { CredentialVault } from './credential-vault.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { openJobsSql } from './leases.sql.js';

/** Minimum age of credentials before their job is looked up: the job is committed after them. */
const MIN_AGE_MS = 60_000;
const MAX_JOBS = 1_000;
const INTERVAL_MS = 30_000;

/** Covers lost notifications from other replicas that a job with credentials ended. */
@Injectable()
export class SweepVault implements BackgroundTask {
  readonly failure = 'credentials were not swept';
  readonly needsClock = false;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly vault: CredentialVault,
  ) {}

  intervalMs(): number {
    return INTERVAL_MS;
  }

  async run(): Promise<boolean> {
    const held = this.vault.heldFor(MIN_AGE_MS).slice(0, MAX_JOBS);
    if (held.length === 0) return false;
    const { rows } = await this.pool.query<{ job_id: JobId }>(openJobsSql, [plainArray(held)]);
    const living = new Set(rows.map((row) => row.job_id));
    for (const jobId of held) if (!living.has(jobId)) this.vault.destroy(jobId);
    return false;
  }
}
