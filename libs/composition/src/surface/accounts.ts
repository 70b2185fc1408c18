import { AccountsModule, MakeFirstKeyHandler } from '@heddle/accounts';
import { accountsSettings, pepperFileOf } from '@heddle/accounts/settings';
import { Secret } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import { readPepper } from '@heddle/platform-credentials';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import type { ServiceProcess } from '../process/service-process.js';

/**
 * Accounts and the check of keys, in a process with a gateway. `mayMake`: standalone makes a missing pepper itself.
 * `imports`: the services that enforce limits of accounts.
 */
export function accountsModule(
  service: ServiceProcess,
  database: Pick<Database, 'pool'>,
  mayMake: boolean,
  imports: readonly DynamicModule[],
): DynamicModule {
  const { settings, metrics } = service;
  return AccountsModule.register({
    database,
    pepper: readPepper(pepperFileOf(settings, mayMake), mayMake),
    settings: accountsSettings(settings),
    metrics,
    // Standalone is the only gateway of its accounts.
    sharesUse: !mayMake,
    imports,
  });
}

/** Makes the first account and its key, and shows a generated key once, to the person who started the process. */
export async function makeFirstKey(
  { settings }: ServiceProcess,
  app: Pick<INestApplicationContext, 'get'>,
  say: (line: string) => void,
): Promise<void> {
  const { bootstrapKey } = settings;
  const made = await app.get(MakeFirstKeyHandler).handle(bootstrapKey === null ? null : new Secret(bootstrapKey));
  if (made !== null) say(`API key of the account default, shown only now: ${made.reveal()}`);
}
