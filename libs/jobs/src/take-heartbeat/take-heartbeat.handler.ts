import { Inject, Injectable } from '@nestjs/common';
import type { LeaseKey, LeaseState, Principal, WorkerIdentity } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { namesLease } from '../lease-job/lease-name.js';
import { JobsSettings } from '../settings.js';
import { renewSql } from './renew-leases.sql.js';
import type { HeldRow } from './renew-leases.sql.js';

/** A lease's state, and the owner of its job; null for a lost lease. */
export interface RenewedLease {
  readonly state: LeaseState;
  readonly owner: Principal | null;
}

/** Renews the leases that no rescuer has condemned; its reply covers lost cancel notifications. */
@Injectable()
export class TakeHeartbeatHandler {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
  ) {}

  async handle(worker: WorkerIdentity, leases: readonly LeaseKey[]): Promise<readonly RenewedLease[]> {
    const named = leases.filter(namesLease);
    const rows = named.length === 0 ? [] : await this.#renew(worker, named);
    // A worker may name an older lease of a job beside its newest one.
    const held = new Map(rows.map((row) => [`${row.job_id}:${row.fence}`, row]));
    return leases.map(({ jobId, fence }) => {
      const row = held.get(`${jobId}:${fence}`);
      if (row === undefined) return { state: { jobId, fence, state: 'lost' }, owner: null };
      const state = row.state === 'canceling' ? 'cancel_requested' : 'held';
      return { state: { jobId, fence, state }, owner: { accountId: row.account_id, deploymentId: row.deployment_id } };
    });
  }

  async #renew({ workerId, deploymentId }: WorkerIdentity, leases: readonly LeaseKey[]): Promise<readonly HeldRow[]> {
    const { rows } = await this.pool.query<HeldRow>({
      name: 'renew-leases',
      text: renewSql,
      values: [
        plainArray(leases.map((lease) => lease.jobId)),
        plainArray(leases.map((lease) => lease.fence)),
        workerId,
        this.settings.leaseMs,
        deploymentId,
      ],
    });
    return rows;
  }
}
