import type { Answer } from './answer.js';
import type { AccountId, DeploymentId, JobId, TaskId } from './ids.js';

/** Sums of an account's ledger: `balance + reserved + charged + withdrawn = granted`. */
export interface AccountCredits {
  /** What the account may still spend. */
  readonly balance: number;
  /** Of jobs and tasks that have not ended. */
  readonly reserved: number;
  readonly granted: number;
  readonly charged: number;
  readonly withdrawn: number;
}

/** An account without entries. */
export const NO_CREDITS: AccountCredits = { balance: 0, reserved: 0, granted: 0, charged: 0, withdrawn: 0 };

/** A grant or a withdrawal. */
export interface CreditChange {
  /** Whole credits, from 1. */
  readonly amount: number;
  readonly note: string | null;
}

export type LedgerEntryKind = 'grant' | 'withdraw' | 'reserve' | 'settle';

export interface LedgerEntry {
  /** Grows within an account. */
  readonly entryId: number;
  /** ISO 8601 */
  readonly at: string;
  readonly kind: LedgerEntryKind;
  /** The amounts of an account sum to its balance. */
  readonly amount: number;
  /** The balance after the entry. */
  readonly balance: number;
  /** Of `reserve` and `settle`, as `taskId`: one of the two. */
  readonly jobId: JobId | null;
  /** A task of the partner proxy. */
  readonly taskId: TaskId | null;
  /** Of `settle`: what the job or task cost. */
  readonly charged: number | null;
  readonly note: string | null;
}

/** Entries after one of them, oldest first. */
export interface LedgerPart {
  /** null: from the first entry on. */
  readonly after: number | null;
  /** 1..1000 */
  readonly limit: number;
}

/** What a deployment charges for a job (accounts, Credits). */
export interface DeploymentPrice {
  /** Whole credits, on success. */
  readonly perJob: number;
  /** Credits with up to 6 decimals. */
  readonly perSecond: number;
}

/** A deployment without a price. */
const NO_PRICE: DeploymentPrice = { perJob: 0, perSecond: 0 };

/** `prices`: of `pricesOf`; undefined on a surface without credits. */
export function priceIn(
  prices: ReadonlyMap<DeploymentId, DeploymentPrice> | undefined,
  deploymentId: DeploymentId,
): DeploymentPrice {
  return prices?.get(deploymentId) ?? NO_PRICE;
}

/** A part of the check of all ledgers; `next` continues it, null: it was the last part. */
export interface CreditCheck {
  readonly accounts: number;
  readonly entries: number;
  /** Sentences for the operator, the first ones of the part. */
  readonly problems: readonly string[];
  readonly next: string | null;
}

/**
 * The operator's calls (admin API, `heddle credits`). Refuses with `invalid_request` or `insufficient_credits`.
 * Implementations pass `test/internal-calls/credits-port.suite.ts`.
 */
export interface CreditsPort {
  show(accountId: AccountId): Promise<AccountCredits>;
  /** Accounts without entries are missing. */
  balancesOf(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>>;
  grant(accountId: AccountId, change: CreditChange): Promise<Answer<AccountCredits>>;
  /** Never below a balance of 0. */
  withdraw(accountId: AccountId, change: CreditChange): Promise<Answer<AccountCredits>>;
  ledger(accountId: AccountId, part: LedgerPart): Promise<readonly LedgerEntry[]>;
  /** Deployments without a price are missing. */
  pricesOf(deploymentIds: readonly DeploymentId[]): Promise<ReadonlyMap<DeploymentId, DeploymentPrice>>;
  /** Sets what is given. A submission that is accepted later pays the new price. */
  setPrice(deploymentId: DeploymentId, change: Partial<DeploymentPrice>): Promise<Answer<DeploymentPrice>>;
  /** Compares a part of the ledgers with the balances and the log. `from`: `next` of the part before. */
  check(from: string | null): Promise<CreditCheck>;
}
export const CREDITS_PORT = Symbol('CreditsPort');

export const MAX_LEDGER_PART = 1_000;
/** The most that one command changes. */
export const MAX_CREDIT_CHANGE = 1_000_000_000_000;
/** The most that an account is ever granted: sums stay exact as numbers of JSON. */
export const MAX_GRANTED = 1_000_000_000_000_000;
export const MAX_PRICE_PER_JOB = 1_000_000_000;
export const MAX_PRICE_PER_SECOND = 1_000_000;
export const MAX_CREDIT_NOTE = 200;
/** Ids of one `balancesOf` or `pricesOf`. */
export const MAX_ASKED_CREDITS = 1_000;
