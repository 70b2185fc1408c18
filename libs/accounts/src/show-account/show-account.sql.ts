import { ACCOUNT_COLUMNS } from '../accounts-database/account-row.js';

/** Parameter: name. */
export const SHOW_ACCOUNT = {
  name: 'accounts.show_account',
  text: `select ${ACCOUNT_COLUMNS} from accounts.account a where a.name = $1`,
};
