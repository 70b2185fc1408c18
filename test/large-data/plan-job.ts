import type { PooledWorkflow } from './workflow-pool.ts';
import { MixedNumbers, uuid7 } from './mixed-numbers.ts';
import type { ServedTenant } from './served-tenant.ts';

/** A job with all its columns. Times are milliseconds since 1970; JSON has the form of the domain's codec. */
export interface PlannedJob {
  readonly i: number;
  readonly id: Buffer;
  readonly at: number;
  readonly leasedAt: number | null;
  readonly askedAt: number | null;
  readonly endedAt: number | null;
  readonly expiresAt: number;
  readonly accountId: Buffer;
  readonly deploymentId: Buffer;
  /** Of the deployment's environment; 0 where it has none. */
  readonly revision: number;
  readonly surface: string;
  readonly status: Status;
  readonly version: number;
  readonly fence: number;
  readonly workflow: PooledWorkflow;
  readonly key: string | null;
  readonly metadata: string;
  readonly labels: readonly string[] | null;
  /** The output of a succeeded job is also an asset. */
  readonly hasOutput: boolean;
  readonly asset: PlannedAsset | null;
  /** Random number `which` (from FREE_NUMBERS on) of this job, for other ids in its rows. */
  readonly number: (which: number) => number;
}

export interface PlannedAsset {
  readonly id: Buffer;
  readonly objectKey: Buffer;
  readonly hash: string;
  readonly sizeBytes: number;
}

export type Status = 'queued' | 'running' | 'canceling' | 'succeeded' | 'failed' | 'canceled' | 'expired';

export interface JobPlan {
  readonly seed: number;
  /** Number of ended jobs; jobs with higher numbers wait or run. */
  readonly ended: number;
  readonly unended: number;
  /** Number of unended jobs of the served account; they come first. */
  readonly unendedOfServed: number;
  readonly now: number;
  readonly retentionMs: number;
  readonly accounts: number;
  readonly deployments: number;
  readonly served: ServedTenant;
  readonly workflows: readonly PooledWorkflow[];
}

const NUMBERS = 32;
/** Lower random numbers plan the job itself. */
export const FREE_NUMBERS = 20;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Accounts other than the served one. */
export function accountOf(n: number): Buffer {
  return numbered('00000000000070008001', n);
}

/** Number 0 is the served deployment. */
export function deploymentOf(n: number, served: ServedTenant): Buffer {
  return n === 0 ? served.deploymentId : numbered('00000000000070008002', n);
}

function numbered(prefix: string, n: number): Buffer {
  return Buffer.from(prefix + n.toString(16).padStart(12, '0'), 'hex');
}

/** Caches the values for numbers from 0 on. */
function kept(make: (n: number) => Buffer): (n: number) => Buffer {
  const made: Buffer[] = [];
  return (n) => (made[n] ??= make(n));
}

/**
 * Plans jobs by number, from 1. Every second ended job belongs to the served account. A tenth has the label project=alpha.
 * Statuses other than succeeded are rare. Only the oldest twentieth expired, so a list of them must skip everything newer.
 */
export class JobPlanner {
  readonly #plan: JobPlan;
  readonly #numbers: MixedNumbers;
  readonly #accountOf = kept(accountOf);
  readonly #deploymentOf = kept((n) => deploymentOf(n, this.#plan.served));

  constructor(plan: JobPlan) {
    this.#plan = plan;
    this.#numbers = new MixedNumbers(plan.seed, NUMBERS);
  }

  job(i: number): PlannedJob {
    const plan = this.#plan;
    const number = (which: number): number => this.#numbers.of(i, which);
    const [a, b, dice, kind] = [number(0), number(1), number(2) % 1024, number(3)];
    const at = this.#submittedAt(i);
    const status = this.#status(i, number(4));
    const isCanceledInQueue = status === 'canceled' && dice % 2 === 0;
    const hasWaitedOnly = status === 'queued' || status === 'expired' || isCanceledInQueue;
    const leasedAt = hasWaitedOnly ? null : at + 50 + (a & 2047);
    const askedAt = status === 'canceling' || (status === 'canceled' && !isCanceledInQueue) ? at + 5_000 : null;
    const endedAt = endOf(status, at, b);
    const hasOutput = status === 'succeeded' && dice % 10 === 0;
    const other = this.#otherAccount(i);
    const { served } = plan;
    const deployment = other === null ? 0 : other % plan.deployments;
    return {
      i,
      id: uuid7(at, number(5), a, b),
      at,
      leasedAt,
      askedAt,
      endedAt,
      expiresAt: at + plan.retentionMs,
      accountId: other === null ? served.accountId : this.#accountOf(other),
      deploymentId: this.#deploymentOf(deployment),
      revision: deployment === 0 ? served.revision : served.revisionOfOthers,
      surface: served.surface,
      status,
      version: hasOutput ? 5 : 1 + one(leasedAt) + one(askedAt) + one(endedAt),
      fence: leasedAt === null ? 0 : 1,
      workflow: plan.workflows[a % plan.workflows.length]!,
      key: b % 10 < 6 ? `${plan.seed}/${i}/${a.toString(16)}` : null,
      ...labelled(i, kind, b),
      hasOutput,
      asset: hasOutput || (status === 'succeeded' && dice % 20 === 1) ? plannedAsset(at, number) : null,
      number,
    };
  }

  /** Unended jobs were submitted in the last hour, the others between then and almost the retention. */
  #submittedAt(i: number): number {
    const { now, ended, unended, retentionMs } = this.#plan;
    const ago =
      i > ended
        ? (HOUR_MS * (unended - (i - ended) + 1)) / (unended + 1) + 60_000
        : 2 * HOUR_MS + (retentionMs - 3 * HOUR_MS) * (1 - i / ended);
    return Math.floor(now - ago);
  }

  #status(i: number, dice: number): Status {
    const { ended } = this.#plan;
    if (i > ended) {
      const place = (i - ended) % 16;
      if (place === 2) return 'canceling';
      return place === 1 || place === 9 ? 'running' : 'queued';
    }
    if (i * 20 <= ended && dice % 20 === 0) return 'expired';
    if (dice % 50 === 7) return 'failed';
    return dice % 50 === 8 ? 'canceled' : 'succeeded';
  }

  /** Null: the served account. */
  #otherAccount(i: number): number | null {
    const { ended, unendedOfServed, accounts } = this.#plan;
    if (i > ended) return i - ended > unendedOfServed ? (i - ended) % accounts : null;
    return i % 2 === 1 ? Math.floor(i / 2) % accounts : null;
  }
}

const one = (time: number | null): number => (time === null ? 0 : 1);

function endOf(status: Status, at: number, chance: number): number | null {
  switch (status) {
    case 'queued':
    case 'running':
    case 'canceling':
      return null;
    case 'expired':
      return at + DAY_MS;
    case 'succeeded':
    case 'failed':
    case 'canceled':
      return at + 6_000 + (chance & 16_383);
  }
}

const BETA = { metadata: '{"project":"beta"}', labels: ['project=beta'] };
const ALPHA = { metadata: '{"project":"alpha"}', labels: ['project=alpha'] };
const ALPHA_TEAMS = Array.from({ length: 7 }, (_, team) => ({
  metadata: `{"project":"alpha","team":"${team}"}`,
  labels: ['project=alpha', `team=${team}`],
}));
const NO_LABELS = { metadata: '{}', labels: null };

function labelled(i: number, kind: number, chance: number): Pick<PlannedJob, 'metadata' | 'labels'> {
  if (kind % 10 === 0) return chance % 3 === 0 ? ALPHA_TEAMS[kind % 7]! : ALPHA;
  if (kind % 10 <= 3) return BETA;
  if (kind % 1000 !== 4) return NO_LABELS;
  const run = Math.floor(i / 1000);
  return { metadata: `{"run":"${run}"}`, labels: [`run=${run}`] };
}

function plannedAsset(at: number, number: (which: number) => number): PlannedAsset {
  const hex = (from: number, to: number): string => {
    let text = '';
    for (let n = from; n < to; n += 1) text += number(n).toString(16).padStart(8, '0');
    return text;
  };
  return {
    id: uuid7(at, number(6), number(7), number(8)),
    objectKey: Buffer.from(hex(8, 12), 'hex'),
    hash: `blake3:${hex(12, 20)}`,
    sizeBytes: 300 + (number(9) & 1023),
  };
}
