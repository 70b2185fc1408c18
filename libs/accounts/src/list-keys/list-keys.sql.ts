import { KEY_COLUMNS } from '../accounts-database/key-row.js';

/** Parameters: the last id of the part before, or an empty text; maximum rows. For the operator alone. */
export const LIST_ALL_KEYS = {
  name: 'accounts.list_all_keys',
  text: `select ${KEY_COLUMNS} from accounts.api_key k join accounts.account a using (account_id)
         where k.key_id > $1 order by k.key_id limit $2`,
};

/** Parameters: the last id of the part before, or an empty text; maximum rows; account. */
export const LIST_KEYS = {
  name: 'accounts.list_keys',
  text: `select ${KEY_COLUMNS} from accounts.api_key k join accounts.account a using (account_id)
         where k.account_id = $3 and k.key_id > $1 order by k.key_id limit $2`,
};
