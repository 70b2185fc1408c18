import { poolKey } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId, WorkerPool } from '@heddle/contracts-messages';
import type { QueryConfig } from 'pg';

export interface Candidate extends WorkerPool {
  readonly jobId: JobId;
}

/** An account with jobs of a pool. */
interface Waiting extends WorkerPool {
  readonly accountId: AccountId;
  /** Lower bound of the positions of the account's jobs that may be leased. */
  readonly low: string;
}

export interface CandidateRow {
  /** An account that may run so many jobs at once waits. */
  readonly limits_wait: boolean;
  readonly job_id: JobId;
  readonly deployment_id: DeploymentId;
  /** Absent: 0. */
  readonly revision?: number;
  readonly account_id: AccountId;
  readonly position: string;
}

/** A poll that found nothing to lease. */
export interface NoCandidateRow {
  readonly limits_wait: boolean;
  readonly job_id: null;
}

/** What every poll names: the pools, how many jobs, and which jobs not. */
export interface PollRequest {
  readonly pools: readonly WorkerPool[];
  readonly limit: number;
  readonly retried: readonly JobId[];
}

/** The two polls of the queue, as statements. */
export interface PollStatements {
  everyAccount(poll: PollRequest): QueryConfig;
  knownAccounts(poll: PollRequest, known: readonly Waiting[]): QueryConfig;
  ask(statement: QueryConfig): Promise<readonly (CandidateRow | NoCandidateRow)[]>;
}

/** Maximum share of time for polls of every account while polls of known accounts fill the slots. */
const FULL_POLL_SHARE = 1 / 20;
/** Maximum accounts in memory. */
const MAX_KNOWN = 1_000;

/**
 * Reads the queue for jobs to lease. A poll of every account walks all row versions that cannot be pruned while
 * somebody holds a snapshot open, and their number grows with each job. So the accounts known to wait are read first,
 * each from the position where its jobs begin (docs/decisions/0025). One poll at a time.
 */
export class QueuePoll {
  readonly #known = new Map<string, Waiting>();
  /** Start positions of accounts without jobs at the last poll: new jobs have higher positions. */
  readonly #emptied = new Map<string, Waiting>();
  /** Arrivals since the current poll began. */
  readonly #arrivals = new Map<string, Waiting>();
  /** The pools of the last poll. */
  #wanted = '';
  /** Unknown accounts may have waiting jobs. */
  #isPartial = true;
  #wasReset = false;
  #limitsWait = false;
  #fullFrom = 0;

  constructor(private readonly statements: PollStatements) {}

  /** The end of a job may make room for one that waits behind the limit of its account. */
  get limitsWait(): boolean {
    return this.#limitsWait;
  }

  /** This replica queued a job of the account, behind its others. */
  arrived({ deploymentId, revision }: WorkerPool, accountId: AccountId): void {
    const key = keyOf(deploymentId, revision, accountId);
    const waiting = this.#known.get(key) ?? this.#emptied.get(key) ?? { deploymentId, revision, accountId, low: '0' };
    this.#emptied.delete(key);
    this.#known.set(key, waiting);
    // The current poll may miss the job and find the account empty.
    this.#arrivals.set(key, waiting);
    if (this.#known.size + this.#emptied.size > MAX_KNOWN) this.reset();
  }

  /** Unknown accounts may wait: the next poll covers all of them. */
  distrust(): void {
    this.#isPartial = true;
    this.#fullFrom = 0;
  }

  /** Jobs may wait before the known positions, or for unknown accounts: the next poll covers everything. */
  reset(): void {
    this.#known.clear();
    this.#emptied.clear();
    this.#arrivals.clear();
    this.#wasReset = true;
    this.distrust();
  }

  /** At most `limit` jobs of these pools, in fair order, without those in the retry queue. */
  async next(poll: PollRequest): Promise<readonly Candidate[]> {
    const { limit, retried } = poll;
    const wanted = poll.pools.map(poolKey).join();
    if (this.#wanted !== wanted) this.reset();
    this.#wanted = wanted;
    this.#wasReset = false;
    this.#arrivals.clear();
    if (this.#known.size > 0) {
      const rows = await this.#ask(this.statements.knownAccounts(poll, [...this.#known.values()]));
      const isFull = rows.length === limit;
      // An account at its limit had no row, and is not known any more.
      this.#isPartial ||= this.#limitsWait;
      if (!this.#isPartial || (isFull && performance.now() < this.#fullFrom)) return this.#learn(rows, isFull, retried);
    } else if (!this.#isPartial) {
      return [];
    }
    const began = performance.now();
    const rows = await this.#ask(this.statements.everyAccount(poll));
    this.#fullFrom = performance.now() + (performance.now() - began) / FULL_POLL_SHARE;
    if (!this.#wasReset) this.#isPartial = rows.length === limit || this.#limitsWait;
    return this.#learn(rows, false, retried);
  }

  /** Accounts without a row have nothing to lease, unless the limit cut them off. */
  #learn(rows: readonly CandidateRow[], isCut: boolean, retried: readonly JobId[]): readonly Candidate[] {
    if (!this.#wasReset) {
      if (!isCut) {
        for (const [key, waiting] of this.#known) this.#emptied.set(key, waiting);
        this.#known.clear();
      }
      const begins = new Set<string>();
      for (const { deployment_id: deploymentId, revision = 0, account_id: accountId, position } of rows) {
        const key = keyOf(deploymentId, revision, accountId);
        if (begins.has(key)) continue;
        begins.add(key);
        // A job in the retry queue may precede the first one returned.
        this.#known.set(key, { deploymentId, revision, accountId, low: retried.length === 0 ? position : '0' });
        this.#emptied.delete(key);
      }
      for (const [key, waiting] of this.#arrivals) {
        if (!this.#known.has(key)) this.#known.set(key, waiting);
        this.#emptied.delete(key);
      }
      if (this.#known.size + this.#emptied.size > MAX_KNOWN) this.reset();
    }
    return rows.map((row) => ({ jobId: row.job_id, deploymentId: row.deployment_id, revision: row.revision ?? 0 }));
  }

  async #ask(statement: QueryConfig): Promise<readonly CandidateRow[]> {
    const rows = await this.statements.ask(statement);
    this.#limitsWait = rows[0]?.limits_wait ?? false;
    return rows.filter((row) => row.job_id !== null);
  }
}

function keyOf(deploymentId: DeploymentId, revision: number, accountId: AccountId): string {
  return `${deploymentId} ${revision} ${accountId}`;
}
