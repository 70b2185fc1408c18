import { Inject, Injectable } from '@nestjs/common';
import { isUuid } from '@heddle/contracts-messages';
import type { JobHoldings, JobId, JobOutput } from '@heddle/contracts-messages';
import type { ClientBase } from 'pg';
import { hasEndedSql } from '../get-job/job-row.js';
import { JOBS_POOL } from '../jobs-connections.js';

interface HoldingsRow {
  readonly id: JobId;
  readonly ended: boolean;
  readonly outputs: readonly JobOutput[] | null;
}

/**
 * Outputs are read whole: PostgreSQL refuses to parse JSON with an escaped zero, which engine names may contain.
 * Parameter: jobs.
 */
const holdingsSql = `
select j.id, ${hasEndedSql} as ended,
  (select json_agg(o.output order by o.ordinal) from jobs.job_output o where o.job_id = j.id) as outputs
from jobs.job j where j.id = any($1::uuid[])`;

/**
 * Every job that has not ended has a queue row; events of a purged one remain, or its whole partition was detached.
 * Parameter: jobs.
 */
const endsSql = `
select w.id from unnest($1::uuid[]) as w (id)
where (exists (select from jobs.event e where e.stream_id = w.id)
    or exists (select from jobs.event_partition p where p.detached_at is not null and w.id < p.to_id
                and w.id >= coalesce(p.from_id, '00000000-0000-0000-0000-000000000000')))
  and not exists (select from jobs.queue q where q.job_id = w.id)`;

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
        // Builds up to 18464f9 stored any asset id that a worker sent.
        { ended, outputAssetIds: (outputs ?? []).map(({ assetId }) => assetId).filter(isUuid) },
      ]),
    );
  }

  /** The jobs that the log proves to have ended. A job without events may still be submitted. */
  async endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]> {
    const query = { name: 'ended-jobs', text: endsSql, values: [jobIds] };
    const { rows } = await this.pool.query<{ id: JobId }>(query);
    return rows.map(({ id }) => id);
  }
}
