import { ACCOUNTS_PORT, CREDITS_PORT } from '@heddle/contracts-messages';
import { ChangeCreditsController } from './change-credits/change-credits.controller.js';
import { CheckCreditsController } from './check-credits/check-credits.controller.js';
import { ReadLedgerController } from './read-ledger/read-ledger.controller.js';
import { Prices } from './set-price/prices.js';
import { SetPriceController } from './set-price/set-price.controller.js';
import { ShowCreditsController } from './show-credits/show-credits.controller.js';

export const CREDITS_CONTROLLERS = [
  ShowCreditsController,
  ChangeCreditsController,
  ReadLedgerController,
  SetPriceController,
  CheckCreditsController,
];

/** What these controllers ask besides the ports and the names. */
export const CREDITS_PROVIDERS = [Prices];

/** Credits are asked of two services: names of accounts are not known to the one that has the ledger. */
export function servesCredits(ports: ReadonlyMap<symbol, object>): boolean {
  return ports.has(CREDITS_PORT) && ports.has(ACCOUNTS_PORT);
}
