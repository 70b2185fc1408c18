import { Inject, Injectable } from '@nestjs/common';
import type {
  AccountCredits,
  AccountId,
  Answer,
  CreditChange,
  CreditCheck,
  CreditsPort,
  DeploymentId,
  DeploymentPrice,
  LedgerEntry,
  LedgerPart,
} from '@heddle/contracts-messages';
import { ChangeBalanceHandler } from './change-balance/change-balance.handler.js';
import { CheckCreditsHandler } from './check-credits/check-credits.handler.js';
import { ReadLedgerHandler } from './read-ledger/read-ledger.handler.js';
import { SetPriceHandler } from './set-price/set-price.handler.js';
import { ShowCreditsHandler } from './show-credits/show-credits.handler.js';

/** An operator's calls about credits, answered in this process: one handler per call. */
@Injectable()
export class LocalCredits implements CreditsPort {
  @Inject() private readonly credits!: ShowCreditsHandler;
  @Inject() private readonly changes!: ChangeBalanceHandler;
  @Inject() private readonly entries!: ReadLedgerHandler;
  @Inject() private readonly prices!: SetPriceHandler;
  @Inject() private readonly checks!: CheckCreditsHandler;

  async show(accountId: AccountId): Promise<AccountCredits> {
    return await this.credits.handle(accountId);
  }

  async balancesOf(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>> {
    return await this.credits.balancesOf(accountIds);
  }

  async grant(accountId: AccountId, change: CreditChange): Promise<Answer<AccountCredits>> {
    return await this.changes.handle(accountId, 'grant', change);
  }

  async withdraw(accountId: AccountId, change: CreditChange): Promise<Answer<AccountCredits>> {
    return await this.changes.handle(accountId, 'withdraw', change);
  }

  async ledger(accountId: AccountId, part: LedgerPart): Promise<readonly LedgerEntry[]> {
    return await this.entries.handle(accountId, part);
  }

  async pricesOf(deploymentIds: readonly DeploymentId[]): Promise<ReadonlyMap<DeploymentId, DeploymentPrice>> {
    return await this.prices.pricesOf(deploymentIds);
  }

  async setPrice(deploymentId: DeploymentId, change: Partial<DeploymentPrice>): Promise<Answer<DeploymentPrice>> {
    return await this.prices.handle(deploymentId, change);
  }

  async check(from: string | null): Promise<CreditCheck> {
    return await this.checks.handle(from);
  }
}
