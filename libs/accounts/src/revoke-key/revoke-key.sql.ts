import { KEY_COLUMNS } from '../accounts-database/key-row.js';

/** Parameter: key id. */
export const REVOKE_KEY = {
  name: 'accounts.revoke_key',
  text: `update accounts.api_key k set revoked_at = coalesce(k.revoked_at, heddle.clock_now_ms())
         from accounts.account a where a.account_id = k.account_id and k.key_id = $1
         returning ${KEY_COLUMNS}`,
};
