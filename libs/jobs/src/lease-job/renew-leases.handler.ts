import type { LeaseKey, LeaseState } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import type { JobsSettings } from '../jobs-settings.js';
import { renewSql } from './leases.sql.js';
import type { HeldRow } from './leases.sql.js';

/** The heartbeat: extends what no rescuer has condemned; its reply is the net under the pushed cancel. */
export class RenewLeasesHandler {
  constructor(
    private readonly pool: Pool,
    private readonly settings: JobsSettings,
  ) {}

  async handle(workerId: string, leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    if (leases.length === 0) return [];
    const rows = await this.#renew(workerId, leases);
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
      ],
    });
    return rows;
  }
}
