import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { Type } from '@nestjs/common';
import { CreateAccountController } from './create-account/create-account.controller.js';
import { CreateKeyController } from './create-key/create-key.controller.js';
import { ListAccountsController } from './list-accounts/list-accounts.controller.js';
import { ListKeysController } from './list-keys/list-keys.controller.js';
import { RevokeKeyController } from './revoke-key/revoke-key.controller.js';
import { RotateKeyController } from './rotate-key/rotate-key.controller.js';
import { SetAccountLimitsController } from './set-account-limits/set-account-limits.controller.js';
import { ShowAccountController } from './show-account/show-account.controller.js';
import { SuspendAccountController } from './suspend-account/suspend-account.controller.js';

/** The calls behind `heddle accounts` and `heddle keys`. */
export const ACCOUNTS_CONTROLLERS: readonly Type<unknown>[] = [
  CreateAccountController,
  ListAccountsController,
  ShowAccountController,
  SetAccountLimitsController,
  SuspendAccountController,
  CreateKeyController,
  ListKeysController,
  RevokeKeyController,
  RotateKeyController,
];

export function servesAccounts(ports: ReadonlyMap<symbol, object>): boolean {
  return ports.has(ACCOUNTS_PORT);
}
