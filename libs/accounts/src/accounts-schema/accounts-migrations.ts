import type { SchemaMigrations } from '@heddle/platform-database';
import { accountTablesSql } from './account-tables.js';
import { accountUseSql } from './account-use.js';
import { limitVersionsSql } from './limit-versions.js';

export const ACCOUNTS_ROLE = 'heddle_accounts';

/** All tables of the accounts context; gateways open them with its role, and nothing else reads them. */
export const ACCOUNTS_MIGRATIONS: SchemaMigrations = {
  schema: 'accounts',
  role: ACCOUNTS_ROLE,
  migrations: [
    { name: '0001-accounts', up: accountTablesSql },
    { name: '0002-limit-versions', up: limitVersionsSql },
    { name: '0003-account-use', up: accountUseSql },
  ],
};
