export { AccountsModule } from './accounts.module.js';
export { ACCOUNTS_MIGRATIONS, ACCOUNTS_ROLE } from './accounts-schema/accounts-migrations.js';
export { MakeFirstKeyHandler } from './make-first-key/make-first-key.handler.js';
