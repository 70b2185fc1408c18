import { Inject, Injectable } from '@nestjs/common';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { candidatesSql, knownCandidatesSql } from './leases.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

export interface Candidate {
  readonly jobId: JobId;
  readonly deploymentId: DeploymentId;
}

interface Waiting {
  readonly deploymentId: DeploymentId;
  readonly accountId: AccountId;
  /** No job of the account that may be leased has a lower position. */
  readonly low: string;
}

interface CandidateRow {
  readonly job_id: JobId;
  readonly deployment_id: DeploymentId;
  readonly account_id: AccountId;
  readonly position: string;
}

/** Looks at every account take at most this share of the time while looks at known ones fill the slots. */
const FULL_LOOK_SHARE = 1 / 20;
/** Accounts kept in memory. */
const MAX_KNOWN = 1_000;

/**
 * Looks at the queue for jobs to lease. A look at every account walks all of the queue that cannot be pruned while somebody holds a
 * snapshot open, and that grows with each job. So the accounts that are known to wait are looked at first, each from the position
 * on where its jobs begin (docs/decisions/0025). One look at a time.
 */
@Injectable()
export class QueueLook {
  readonly #known = new Map<string, Waiting>();
  /** Where the jobs of accounts began that had none when they were looked at last: new ones have higher positions. */
  readonly #emptied = new Map<string, Waiting>();
  /** Told since the look began that is under way. */
  readonly #told = new Map<string, Waiting>();
  /** The deployments of the last look; '' for any. */
  #wanted = '';
  /** Accounts may wait that are not known here. */
  #isPartial = true;
  #wasForgotten = false;
  #fullFrom = 0;

  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  /** A job of this account was queued by this replica, behind the others of the account. */
  arrived(deploymentId: DeploymentId, accountId: AccountId): void {
    const key = `${deploymentId} ${accountId}`;
    const waiting = this.#known.get(key) ?? this.#emptied.get(key) ?? { deploymentId, accountId, low: '0' };
    this.#emptied.delete(key);
    this.#known.set(key, waiting);
    // The look that is under way may not see the job, and find that its account has none.
    this.#told.set(key, waiting);
    if (this.#known.size + this.#emptied.size > MAX_KNOWN) this.forget();
  }

  /** Accounts may wait that are not known: the next look is at all of them. */
  distrust(): void {
    this.#isPartial = true;
    this.#fullFrom = 0;
  }

  /** Jobs may wait before those that are known, or of accounts that are not: the next look is at all of them. */
  forget(): void {
    this.#known.clear();
    this.#emptied.clear();
    this.#told.clear();
    this.#wasForgotten = true;
    this.distrust();
  }

  /** At most `limit` jobs of these deployments (null: of any), in their fair order and without those that are put off. */
  async next(deployments: string | null, limit: number, putOff: readonly JobId[]): Promise<readonly Candidate[]> {
    if (this.#wanted !== (deployments ?? '')) this.forget();
    this.#wanted = deployments ?? '';
    this.#wasForgotten = false;
    this.#told.clear();
    const values = [deployments, limit, plainArray(putOff)];
    if (this.#known.size > 0) {
      const rows = await this.#ask('known-candidates', knownCandidatesSql, [...values, ...this.#knownValues()]);
      const isFull = rows.length === limit;
      if (!this.#isPartial || (isFull && performance.now() < this.#fullFrom)) return this.#learn(rows, isFull, putOff);
    } else if (!this.#isPartial) {
      return [];
    }
    const began = performance.now();
    const rows = await this.#ask('lease-candidates', candidatesSql, values);
    this.#fullFrom = performance.now() + (performance.now() - began) / FULL_LOOK_SHARE;
    if (!this.#wasForgotten) this.#isPartial = rows.length === limit;
    return this.#learn(rows, false, putOff);
  }

  /** Accounts without a row have nothing to lease, unless the limit cut them off. */
  #learn(rows: readonly CandidateRow[], isCut: boolean, putOff: readonly JobId[]): readonly Candidate[] {
    if (!this.#wasForgotten) {
      if (!isCut) {
        for (const [key, waiting] of this.#known) this.#emptied.set(key, waiting);
        this.#known.clear();
      }
      const begins = new Set<string>();
      for (const { deployment_id: deploymentId, account_id: accountId, position } of rows) {
        const key = `${deploymentId} ${accountId}`;
        if (begins.has(key)) continue;
        begins.add(key);
        // A job that is put off may stand before the first that is not.
        this.#known.set(key, { deploymentId, accountId, low: putOff.length === 0 ? position : '0' });
        this.#emptied.delete(key);
      }
      for (const [key, waiting] of this.#told) {
        if (!this.#known.has(key)) this.#known.set(key, waiting);
        this.#emptied.delete(key);
      }
      if (this.#known.size + this.#emptied.size > MAX_KNOWN) this.forget();
    }
    return rows.map((row) => ({ jobId: row.job_id, deploymentId: row.deployment_id }));
  }

  #knownValues(): readonly string[] {
    const known = [...this.#known.values()];
    return [
      plainArray(known.map(({ deploymentId }) => deploymentId)),
      plainArray(known.map(({ accountId }) => accountId)),
      plainArray(known.map(({ low }) => low)),
    ];
  }

  async #ask(name: string, text: string, values: unknown[]): Promise<readonly CandidateRow[]> {
    return (await this.pool.query<CandidateRow>({ name, text, values })).rows;
  }
}
