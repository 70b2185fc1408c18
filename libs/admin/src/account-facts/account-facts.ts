import { Inject, Injectable, Optional } from '@nestjs/common';
import { CREDITS_PORT } from '@heddle/contracts-messages';
import type { AccountId, AccountView, Answer, CreditsPort } from '@heddle/contracts-messages';

/** An account with what other contexts know of it; null where they are not asked. */
export interface DescribedAccount {
  readonly account: AccountView;
  readonly balance: number | null;
}

/** What the commands show of an account beside the account itself. */
@Injectable()
export class AccountFacts {
  constructor(
    @Optional() @Inject(CREDITS_PORT) private readonly credits: Pick<CreditsPort, 'balancesOf'> | undefined,
  ) {}

  async describe(answer: Promise<Answer<AccountView>>): Promise<Answer<DescribedAccount>> {
    const found = await answer;
    if (!found.ok) return found;
    const [described] = await this.describeAll([found.value]);
    return { ok: true, value: described! };
  }

  async describeAll(accounts: readonly AccountView[]): Promise<readonly DescribedAccount[]> {
    const ids = accounts.map(({ accountId }) => accountId);
    const balances: ReadonlyMap<AccountId, number> | null =
      this.credits === undefined ? null : ids.length === 0 ? new Map() : await this.credits.balancesOf(ids);
    return accounts.map((account) => ({
      account,
      balance: balances === null ? null : (balances.get(account.accountId) ?? 0),
    }));
  }
}
