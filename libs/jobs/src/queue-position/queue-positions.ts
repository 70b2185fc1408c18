import { Inject, Injectable } from '@nestjs/common';
import type { JobId, Principal } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { GroupCommit } from '../group-commit/group-commit.js';
import { AccountTurns } from './account-turns.js';
import type { WaitingAccount } from './account-turns.js';
import { positionsSql } from './queue-positions.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

interface PositionRow {
  readonly job_id: JobId;
  readonly deployment_id: string;
  readonly account_id: string;
  readonly running: number;
  readonly served_at: number;
  readonly rank: number;
  readonly entries: Buffer | null;
}

const MAX_JOBS = 1_000;

/**
 * 1-based positions in the deployment's current claim order (decisions, Job fields). One computation at a time: later
 * callers share the next one.
 */
@Injectable()
export class QueuePositions {
  readonly #group: GroupCommit<JobId, number | null>;
  /** The last read of each deployment. */
  readonly #looks = new Map<string, AccountTurns>();

  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {
    this.#group = new GroupCommit(async (jobIds) => await this.#positions(jobIds), {
      batchSize: MAX_JOBS,
      inFlight: 1,
    });
  }

  /** Jobs that do not wait are missing. */
  async of(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    const positions = await Promise.all(jobIds.map(async (jobId) => [jobId, await this.#group.add(jobId)] as const));
    return new Map(positions.filter((position): position is readonly [JobId, number] => position[1] !== null));
  }

  /**
   * For a job submitted just now with this rank in its account: computed from the last read if that is still valid,
   * otherwise queried.
   */
  async ofSubmitted(jobId: JobId, { deploymentId, accountId }: Principal, rank: number | null): Promise<number | null> {
    const turns = this.#looks.get(deploymentId);
    const account = turns?.isGoodAt(performance.now()) === true ? turns.find(accountId) : null;
    if (turns === undefined || account === null || rank === null) return await this.#group.add(jobId);
    return turns.position(account, rank);
  }

  async #positions(jobIds: readonly JobId[]): Promise<readonly (number | null)[]> {
    const readAt = performance.now();
    for (const [deploymentId, turns] of this.#looks) if (!turns.isGoodAt(readAt)) this.#looks.delete(deploymentId);
    // The current reads may be outdated or replaced when the rows arrive.
    const known = new Map(this.#looks);
    const values = [plainArray(jobIds), plainArray([...known.keys()])];
    const { rows } = await this.pool.query<PositionRow>({ name: 'queue-positions', text: positionsSql, values });
    for (const { deployment_id: deploymentId, entries } of rows) {
      if (entries === null) continue;
      known.set(deploymentId, new AccountTurns(entries, readAt));
      this.#looks.set(deploymentId, known.get(deploymentId)!);
    }
    const positions = new Map(
      rows.map((row) => [row.job_id, known.get(row.deployment_id)!.position(ownerOf(row), row.rank)]),
    );
    return jobIds.map((jobId) => positions.get(jobId) ?? null);
  }
}

function ownerOf({ account_id: accountId, served_at: servedAt, running }: PositionRow): WaitingAccount {
  return { accountId, servedAt, running };
}
