import { ACCOUNT_COLUMNS } from '../accounts-database/account-row.js';

/** Parameter: name. */
export const SUSPEND_ACCOUNT = {
  name: 'accounts.suspend_account',
  text: `update accounts.account a set suspended_at = coalesce(suspended_at, heddle.clock_now_ms())
         where a.name = $1 returning ${ACCOUNT_COLUMNS}`,
};

/** Parameter: name. */
export const RESUME_ACCOUNT = {
  name: 'accounts.resume_account',
  text: `update accounts.account a set suspended_at = null where a.name = $1 returning ${ACCOUNT_COLUMNS}`,
};
