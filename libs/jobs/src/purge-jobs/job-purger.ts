import { expireWaiting, JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import type { Pool, PoolClient } from 'pg';
import type { SweepCommits } from '../commit-job-events/sweep-commits.js';
import { plainArray } from '../group-commit/byte-arena.js';
import type { JobsSettings } from '../jobs-settings.js';
import { WORKFLOW_PURGE_LOCK } from '../submit-job/submission-statement.js';
import { purgeKeysSql, purgeSql, purgeWorkflowsSql, unendedSql } from './purge.sql.js';
import type { PurgedRow } from './purge.sql.js';

const MOST = 200;

/**
 * Frees the space of jobs past their retention. Readers do not depend on it: to them such a job is gone from that
 * instant. A job that still runs is purged after its end. Its events stay; the workflow's bytes go with the last job.
 */
export class JobPurger {
  constructor(
    private readonly pool: Pool,
    private readonly commits: SweepCommits,
    private readonly settings: JobsSettings,
  ) {}

  /** True where there may be more; a clock later than `untilMs` is not believed. */
  async purge(untilMs = Infinity): Promise<boolean> {
    await this.#endWaiting(untilMs);
    const purged = await this.#purgeEnded(untilMs);
    const keys = await this.pool.query(purgeKeysSql, [untilMs, this.settings.keyLifeMs]);
    return purged === MOST || keys.rowCount === 1_000;
  }

  async #endWaiting(untilMs: number): Promise<void> {
    const { rows } = await this.pool.query<{ id: JobId }>(unendedSql, [untilMs, this.commits.leftAlone]);
    const step = { decide: expireWaiting, workerSequence: null, correlation: 'purge' };
    await Promise.all(rows.map(async ({ id }) => await this.commits.handle(id, step)));
  }

  async #purgeEnded(untilMs: number): Promise<number> {
    const client: PoolClient = await this.pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      const eventIds = plainArray(Array.from({ length: MOST }, () => newUuid()));
      const { rows } = await client.query<PurgedRow>(purgeSql, [untilMs, eventIds, JOB_EVENT_SCHEMA_VERSION]);
      if (rows.length > 0) {
        await client.query('select pg_advisory_xact_lock($1)', [WORKFLOW_PURGE_LOCK]);
        await client.query(purgeWorkflowsSql, [rows.map((row) => row.workflow_hash)]);
      }
      await client.query('commit');
      broken = false;
      return rows.length;
    } finally {
      // A client that failed inside its transaction is not given to others.
      client.release(broken);
    }
  }
}
