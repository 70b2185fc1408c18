import { ACCOUNTS_MIGRATIONS } from '@heddle/accounts';
import type { ServiceProcess } from '@heddle/composition';
import { accountsModule } from '@heddle/composition/accounts';
import { openRoleDatabase } from '@heddle/composition/role-database';
import type { DynamicModule } from '@nestjs/common';

/** The check of API keys, on the accounts that gateways serve. */
export async function keyCheckModule(service: ServiceProcess): Promise<DynamicModule> {
  const url = service.settings.accountsDatabaseUrl;
  const database = await openRoleDatabase(service, ACCOUNTS_MIGRATIONS, {
    setting: 'ACCOUNTS_DATABASE_URL',
    url,
    service: 'accounts',
  });
  return accountsModule(service, database, false, []);
}
