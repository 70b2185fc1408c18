import { ACCOUNT_COLUMNS } from '../accounts-database/account-row.js';

/** Parameters: the last name of the part before, or an empty text; maximum rows. */
export const LIST_ACCOUNTS = {
  name: 'accounts.list_accounts',
  text: `select ${ACCOUNT_COLUMNS} from accounts.account a where a.name > $1 order by a.name limit $2`,
};
