import type { LeaseKey, LeaseState } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import type { ClockGuard } from '../enforce-deadlines/clock-guard.js';
import { plainArray } from '../group-commit/byte-arena.js';
import type { JobsSettings } from '../jobs-settings.js';
import { renewSql } from './leases.sql.js';
import type { HeldRow } from './leases.sql.js';

/** The heartbeat: extends what is still held by the database clock; its reply is the net under the pushed cancel. */
export class RenewLeasesHandler {
  constructor(
    private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly clock: ClockGuard,
  ) {}

  async handle(workerId: string, leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    if (leases.length === 0) return [];
    let rows = await this.#renew(workerId, leases);
    // Rare: either they ran out, or the clock has just jumped over their end.
    if (rows.length < leases.length && !(await this.clock.isSane())) rows = await this.#renew(workerId, leases);
    const states = new Map(rows.map((row) => [row.job_id, row.state]));
    return leases.map(({ jobId, fence }) => {
      const state = states.get(jobId);
      if (state === undefined) return { jobId, fence, state: 'lost' };
      return { jobId, fence, state: state === 'canceling' ? 'cancel_requested' : 'held' };
    });
  }

  async #renew(workerId: string, leases: readonly LeaseKey[]): Promise<readonly HeldRow[]> {
    const { rows } = await this.pool.query<HeldRow>({
      name: 'renew-leases',
      text: renewSql,
      values: [
        plainArray(leases.map((lease) => lease.jobId)),
        plainArray(leases.map((lease) => lease.fence)),
        workerId,
        this.settings.leaseMs,
        this.clock.offMs,
      ],
    });
    return rows;
  }
}
