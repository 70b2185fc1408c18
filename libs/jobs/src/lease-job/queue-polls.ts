import { Inject, Injectable } from '@nestjs/common';
import { poolKey } from '@heddle/contracts-messages';
import type { AccountId, WorkerPool } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { candidatesSql, knownCandidatesSql } from './leases.sql.js';
import { QueuePoll } from './queue-poll.js';
import type { Candidate, CandidateRow, PollRequest, PollStatements, NoCandidateRow } from './queue-poll.js';
import { knownRevisedCandidatesSql, revisedCandidatesSql } from './revised-leases.sql.js';

/**
 * The polls of the queue: one for pools without revisions, which the surfaces without pinned environments need alone,
 * and one for pools of pinned environments.
 */
@Injectable()
export class QueuePolls {
  readonly #plain: QueuePoll;
  readonly #revised: QueuePoll;

  constructor(@Inject(JOBS_POOL) pool: Pool) {
    const ask: PollStatements['ask'] = async (statement) =>
      (await pool.query<CandidateRow | NoCandidateRow>(statement)).rows;
    this.#plain = new QueuePoll({ ...PLAIN_STATEMENTS, ask });
    this.#revised = new QueuePoll({ ...REVISED_STATEMENTS, ask });
  }

  /** The end of a job may make room for one that waits behind the limit of its account. */
  get limitsWait(): boolean {
    return this.#plain.limitsWait || this.#revised.limitsWait;
  }

  /** This replica queued a job of the account, behind its others. */
  arrived(pool: WorkerPool, accountId: AccountId): void {
    (pool.revision === 0 ? this.#plain : this.#revised).arrived(pool, accountId);
  }

  /** Unknown accounts may wait: the next poll covers all of them. */
  distrust(): void {
    this.#plain.distrust();
    this.#revised.distrust();
  }

  /** Jobs may wait before the known positions, or for unknown accounts: the next poll covers everything. */
  reset(): void {
    this.#plain.reset();
    this.#revised.reset();
  }

  /** At most `limit` jobs of each kind of pools. */
  async next({ pools, ...poll }: PollRequest): Promise<readonly Candidate[]> {
    const revised = pools.filter(({ revision }) => revision > 0);
    if (revised.length === 0) return await this.#plain.next({ ...poll, pools });
    const plain = pools.filter(({ revision }) => revision === 0);
    const own = plain.length === 0 ? [] : await this.#plain.next({ ...poll, pools: plain });
    return [...own, ...(await this.#revised.next({ ...poll, pools: revised }))];
  }
}

const PLAIN_STATEMENTS: Omit<PollStatements, 'ask'> = {
  everyAccount: (poll) => ({ name: 'lease-candidates', text: candidatesSql, values: shared(poll) }),
  knownAccounts: (poll, known) => ({
    name: 'known-candidates',
    text: knownCandidatesSql,
    values: [
      ...shared(poll),
      plainArray(known.map(({ deploymentId }) => deploymentId)),
      plainArray(known.map(({ accountId }) => accountId)),
      plainArray(known.map(({ low }) => low)),
    ],
  }),
};

const REVISED_STATEMENTS: Omit<PollStatements, 'ask'> = {
  everyAccount: (poll) => ({
    name: 'revised-candidates',
    text: revisedCandidatesSql,
    values: [...shared(poll), plainArray(poll.pools.map(({ revision }) => revision))],
  }),
  knownAccounts: (poll, known) => {
    const wanted = new Set(poll.pools.map(poolKey));
    const own = known.filter((waiting) => wanted.has(poolKey(waiting)));
    return {
      name: 'known-revised-candidates',
      text: knownRevisedCandidatesSql,
      values: [
        ...shared({ ...poll, pools: own }),
        plainArray(own.map(({ revision }) => revision)),
        plainArray(own.map(({ accountId }) => accountId)),
        plainArray(own.map(({ low }) => low)),
      ],
    };
  },
};

function shared({ pools, limit, retried }: PollRequest): unknown[] {
  return [plainArray(pools.map(({ deploymentId }) => deploymentId)), limit, plainArray(retried)];
}
