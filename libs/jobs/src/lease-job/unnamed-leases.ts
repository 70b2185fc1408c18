import { Inject, Injectable } from '@nestjs/common';
import type { JobId, LeaseKey, WorkerIdentity } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JobsSettings } from '../settings.js';
import { HandBackLeaseHandler } from './hand-back-lease.handler.js';
import { leasesOfWorkerSql } from './leases.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

/** Share of the lease time: a heartbeat in flight while its lease was granted does not name it. */
const SHARE_OF_LEASE = 2 / 3;
/** A hundred years: longer than any lease, whatever the clock did. */
const ALL_MS = 100 * 365 * 86_400_000;

/**
 * Leases that the rows record for a worker but that it does not name: they never reached it, because the granting
 * process or the connection ended first. They are handed back, which spends no attempt, before they expire, which
 * would.
 */
@Injectable()
export class UnnamedLeases {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly handBack: HandBackLeaseHandler,
    private readonly settings: JobsSettings,
  ) {}

  /** A worker names its leases when a stream opens: all others are handed back at once. */
  async atHello(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void> {
    await this.#handBackOthers(worker, held, ALL_MS);
  }

  /** Hands back leases that neither a grant nor a heartbeat has touched for a while. */
  async atHeartbeat(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void> {
    await this.#handBackOthers(worker, held, this.settings.leaseMs * (1 - SHARE_OF_LEASE));
  }

  /** `leftMs`: leases that last longer are not judged yet. */
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
