import type { Provider } from '@nestjs/common';
import { ChangeBalanceHandler } from './change-balance/change-balance.handler.js';
import { CheckCreditsHandler } from './check-credits/check-credits.handler.js';
import { ReadLedgerHandler } from './read-ledger/read-ledger.handler.js';
import { ReserveTaskHandler } from './reserve-task/reserve-task.handler.js';
import { SetPriceHandler } from './set-price/set-price.handler.js';
import { SettleTaskHandler } from './settle-task/settle-task.handler.js';
import { ShowCreditsHandler } from './show-credits/show-credits.handler.js';

/** Balances, prices, the ledger and the tasks of the partner proxy. */
export const CREDITS: readonly Provider[] = [
  ShowCreditsHandler,
  ChangeBalanceHandler,
  ReadLedgerHandler,
  SetPriceHandler,
  CheckCreditsHandler,
  ReserveTaskHandler,
  SettleTaskHandler,
];
