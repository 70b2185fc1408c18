import type { AccountId, AccountStanding, ReportedUse } from '@heddle/contracts-messages';
import { TokenBuckets } from '@heddle/platform-http';

/** Maximum age of a standing. After it, the account may have moved to other gateways. */
const STANDING_MS = 2_000;

type Reads = NonNullable<ReportedUse['reads']>;

/**
 * Job reads of accounts. If several gateways serve an account, each lets through its share of what the account may read:
 * an equal part of the tokens that all gateways have left together, which a report brings up to date.
 */
export class ReadLimit {
  readonly #buckets: TokenBuckets;
  /** Since the last report. */
  #reads = new Map<AccountId, Reads>();
  readonly #standings = new Map<AccountId, { readonly gateways: number; readonly until: number }>();
  #gateways = 1;
  #onUse: ((isNew: boolean) => void) | null = null;

  constructor(
    rate: number,
    burst: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#buckets = new TokenBuckets(rate, burst, now);
  }

  /** From now on reads are reported. `isNew`: of an account whose standing is not known. */
  share(onUse: (isNew: boolean) => void): void {
    this.#onUse = onUse;
  }

  /** Takes one token, or returns the whole seconds, at least one, until the next one. */
  take(accountId: AccountId, rate: number, burst: number): number | null {
    const standing = this.#standings.get(accountId);
    const isKnown = standing !== undefined && standing.until > this.now();
    const gateways = isKnown ? standing.gateways : this.#gateways;
    const wait = this.#buckets.take(accountId, rate / gateways, Math.min(burst, Math.max(1, burst / gateways)));
    if (this.#onUse !== null) {
      const count = (this.#reads.get(accountId)?.count ?? 0) + (wait === null ? 1 : 0);
      this.#reads.set(accountId, { count, rate, burst });
      this.#onUse(!isKnown);
    }
    return wait;
  }

  report(): ReadonlyMap<AccountId, Reads> {
    const reads = this.#reads;
    this.#reads = new Map();
    return reads;
  }

  /** Applies the answer to a report. Reads that passed since the report are not part of the answer yet. */
  settled(gateways: number, accounts: readonly AccountStanding[]): void {
    const now = this.now();
    this.#gateways = gateways;
    for (const [accountId, { until }] of this.#standings) if (until <= now) this.#standings.delete(accountId);
    for (const { accountId, tokens, gateways: users } of accounts) {
      if (tokens === null) continue;
      this.#standings.set(accountId, { gateways: users, until: now + STANDING_MS });
      this.#buckets.put(accountId, tokens / users - (this.#reads.get(accountId)?.count ?? 0));
    }
  }
}
