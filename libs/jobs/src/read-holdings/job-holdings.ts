import { Inject, Injectable } from '@nestjs/common';
import { isUuid } from '@heddle/contracts-messages';
import type { JobHoldings, JobId } from '@heddle/contracts-messages';
import type { ClientBase } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { endedJobsSql, holdingsSql } from './job-holdings.sql.js';
import type { HoldingsRow } from './job-holdings.sql.js';

/** Outputs of jobs from the read model, in commit order. */
@Injectable()
export class JobHoldingsReader {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pick<ClientBase, 'query'>) {}

  /** Purged and unknown jobs are missing. */
  async of(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    const { rows } = await this.pool.query<HoldingsRow>({
      name: 'job-holdings',
      text: holdingsSql,
      values: [jobIds],
    });
    return new Map(
      rows.map(({ id, ended, outputs }) => [
        id,
        // Until the build after 0a96e1f: builds up to 18464f9 stored any asset id that a worker sent.
        { ended, outputAssetIds: (outputs ?? []).map(({ assetId }) => assetId).filter(isUuid) },
      ]),
    );
  }

  /** The jobs that the log proves to have ended. A job without events may still be submitted. */
  async endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]> {
    const query = { name: 'ended-jobs', text: endedJobsSql, values: [jobIds] };
    const { rows } = await this.pool.query<{ id: JobId }>(query);
    return rows.map(({ id }) => id);
  }
}
