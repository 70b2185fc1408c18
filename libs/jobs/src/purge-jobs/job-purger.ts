import { Inject, Injectable } from '@nestjs/common';
import { expireWaiting, JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import type { Pool, PoolClient } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { SweepCommits } from '../commit-job-events/sweep-commits.js';
import { plainArray } from '../group-commit/byte-arena.js';
import { JobsSettings } from '../settings.js';
import { redactPayloadsSql, purgeCountersSql, purgeKeysSql, purgeSql, unendedSql } from './purge.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

/** Jobs per statement, and workflows per round. */
const MAX_JOBS = 200;

const MAX_INTERVAL_MS = 60_000;

/** Result of `jobs.purge_next_workflow`. */
type WorkflowPurge = 'none' | 'busy' | 'removed' | 'used';

/**
 * Frees the space of jobs past their retention. Readers do not depend on it: for them such a job is gone from that time
 * on. A job that still runs is purged after its end. Its events stay without the payloads that contain personal data;
 * the workflow's bytes go with the last job.
 */
@Injectable()
export class JobPurger implements BackgroundTask {
  readonly failure = 'jobs past their retention were not purged';
  readonly needsClock = true;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly commits: SweepCommits,
    private readonly settings: JobsSettings,
  ) {}

  intervalMs({ retentionMs }: JobsSettings): number {
    return Math.min(MAX_INTERVAL_MS, retentionMs / 4);
  }

  async run(trustedUntilMs = Infinity): Promise<boolean> {
    await this.#endWaiting(trustedUntilMs);
    const purged = await this.#purgeEnded(trustedUntilMs);
    const workflowsLeft = await this.#purgeWorkflows();
    const keys = await this.pool.query(purgeKeysSql, [trustedUntilMs, this.settings.keyLifeMs]);
    const counters = await this.pool.query(purgeCountersSql);
    return purged > 0 || workflowsLeft || keys.rowCount === 1_000 || counters.rowCount === 1_000;
  }

  async #endWaiting(trustedUntilMs: number): Promise<void> {
    const { rows } = await this.pool.query<{ id: JobId }>(unendedSql, [trustedUntilMs, this.commits.leftAlone]);
    const step = { decide: expireWaiting, workerSequence: null, correlation: 'purge' };
    await Promise.all(rows.map(async ({ id }) => await this.commits.handle(id, step)));
  }

  async #purgeEnded(trustedUntilMs: number): Promise<number> {
    const client: PoolClient = await this.pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      const eventIds = plainArray(Array.from({ length: MAX_JOBS }, () => newUuid()));
      const values = [trustedUntilMs, eventIds, JOB_EVENT_SCHEMA_VERSION];
      const { rows } = await client.query<{ id: string }>(purgeSql, values);
      if (rows.length > 0) await client.query(redactPayloadsSql, [rows.map((row) => row.id)]);
      await client.query('commit');
      broken = false;
      return rows.length;
    } finally {
      // A client that failed inside its transaction is not reused.
      client.release(broken);
    }
  }

  /** Purges workflows that no job uses, each in its own transaction. True if there may be more. */
  async #purgeWorkflows(): Promise<boolean> {
    for (let workflows = 0; workflows < MAX_JOBS; workflows += 1) {
      const { rows } = await this.pool.query<{ outcome: WorkflowPurge }>(
        'select p.outcome from jobs.purge_next_workflow() p',
      );
      const { outcome } = rows[0]!;
      // A hash held by a submission is left for the next round.
      if (outcome === 'none' || outcome === 'busy') return false;
    }
    return true;
  }
}
