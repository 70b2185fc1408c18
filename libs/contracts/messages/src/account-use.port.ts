import type { AccountId } from './ids.js';

/** What one gateway saw of an account since its last report. */
export interface ReportedUse {
  readonly accountId: AccountId;
  /** Job reads that were let through, and the limits that hold for them; null: there was none. */
  readonly reads: { readonly count: number; readonly rate: number; readonly burst: number } | null;
  /** Open event streams at this gateway. */
  readonly streams: number;
}

/** How an account stands over all gateways. */
export interface AccountStanding {
  readonly accountId: AccountId;
  /** Job reads that it may make now, all gateways together; negative if it made more. Null: none was reported. */
  readonly tokens: number | null;
  /** Open event streams at the other gateways. */
  readonly otherStreams: number;
  /** Gateways that it uses at present, this one included. */
  readonly gateways: number;
}

export interface SettledUse {
  /** Gateways that serve at present, this one included. */
  readonly gateways: number;
  readonly accounts: readonly AccountStanding[];
}

/**
 * Adds up what gateways let through, so that together they enforce the limits of an account. One implementation: gateways
 * meet in the database of the accounts, and this is an interface because contexts do not import each other.
 */
export interface AccountUsePort {
  /** At most MAX_SETTLED_ACCOUNTS accounts. */
  settle(gatewayId: string, uses: readonly ReportedUse[]): Promise<SettledUse>;
  /** The gateway stops: its streams are closed. */
  leave(gatewayId: string): Promise<void>;
}
export const ACCOUNT_USE_PORT = Symbol('AccountUsePort');

export const MAX_SETTLED_ACCOUNTS = 1_000;
