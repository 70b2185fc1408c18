import type { FactoryProvider } from '@nestjs/common';
import { CREDITS_PORT } from '@heddle/contracts-messages';
import type { CreditsPort } from '@heddle/contracts-messages';
import { ChangeBalanceHandler } from '../change-balance/change-balance.handler.js';
import { CheckCreditsHandler } from '../check-credits/check-credits.handler.js';
import { ReadLedgerHandler } from '../read-ledger/read-ledger.handler.js';
import { SetPriceHandler } from '../set-price/set-price.handler.js';
import { ShowCreditsHandler } from '../show-credits/show-credits.handler.js';

/** An operator's calls about credits, answered in this process: one handler per call. */
export const localCredits: FactoryProvider<CreditsPort> = {
  provide: CREDITS_PORT,
  inject: [ShowCreditsHandler, ChangeBalanceHandler, ReadLedgerHandler, SetPriceHandler, CheckCreditsHandler],
  useFactory: (
    credits: ShowCreditsHandler,
    changes: ChangeBalanceHandler,
    entries: ReadLedgerHandler,
    prices: SetPriceHandler,
    checks: CheckCreditsHandler,
  ): CreditsPort => ({
    show: (accountId) => credits.handle(accountId),
    balancesOf: (accountIds) => credits.balancesOf(accountIds),
    grant: (accountId, change) => changes.handle(accountId, 'grant', change),
    withdraw: (accountId, change) => changes.handle(accountId, 'withdraw', change),
    ledger: (accountId, part) => entries.handle(accountId, part),
    pricesOf: (deploymentIds) => prices.pricesOf(deploymentIds),
    setPrice: (deploymentId, change) => prices.handle(deploymentId, change),
    check: (from) => checks.handle(from),
  }),
};
