export { AccountsModule } from './accounts.module.js';
export type { AccountsModuleOptions } from './accounts.module.js';
export { ACCOUNTS_MIGRATIONS, ACCOUNTS_ROLE } from './accounts-schema/accounts-migrations.js';
export { KeyLookupLateError } from './check-key/check-key.handler.js';
export { MakeFirstKeyHandler } from './make-first-key/make-first-key.handler.js';
