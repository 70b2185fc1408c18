import { Inject, Injectable } from '@nestjs/common';
import type { JobId, LeaseKey, WorkerIdentity } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JobsSettings } from '../settings.js';
import { HandBackLeaseHandler } from './hand-back-lease.handler.js';
import { leasesOfWorkerSql } from './leases.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

/** Of the lease time: a heartbeat that was under way while its lease was granted does not name it. */
const SHARE_OF_LEASE = 2 / 3;
/** A hundred years: longer than any lease lasts, whatever the clock did. */
const ALL_MS = 100 * 365 * 86_400_000;

/**
 * Leases that a worker has by the rows and does not name: they never reached it, as the process that granted them or its
 * connection ended first. They are handed back, which spends no attempt, before they run out, which would.
 */
@Injectable()
export class UnnamedLeases {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly handBack: HandBackLeaseHandler,
    private readonly settings: JobsSettings,
  ) {}

  /** A worker says at the beginning of a stream what it holds: all others at once. */
  async atHello(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void> {
    await this.#handBackOthers(worker, held, ALL_MS);
  }

  /** Those that neither a grant nor a heartbeat has touched for a while. */
  async atHeartbeat(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void> {
    await this.#handBackOthers(worker, held, this.settings.leaseMs * (1 - SHARE_OF_LEASE));
  }

  /** `leftMs`: of leases that last longer yet nothing is concluded. */
  async #handBackOthers(worker: WorkerIdentity, held: readonly LeaseKey[], leftMs: number): Promise<void> {
    const { rows } = await this.pool.query<{ job_id: JobId; fence: number }>({
      name: 'leases-of-worker',
      text: leasesOfWorkerSql,
      values: [worker.workerId, worker.deploymentId, Math.ceil(leftMs)],
    });
    const known = new Set(held.map(({ jobId, fence }) => `${jobId}:${fence}`));
    const others = rows.filter(({ job_id, fence }) => !known.has(`${job_id}:${fence}`));
    await Promise.all(
      others.map(async ({ job_id, fence }) => await this.handBack.handle(worker, { jobId: job_id, fence })),
    );
  }
}
