import { LIMIT_COLUMNS } from '../accounts-database/account-row.js';
import type { LimitColumns } from '../accounts-database/account-row.js';
import type { AccountId } from '@heddle/contracts-messages';

export interface UnsharedRow extends LimitColumns {
  readonly account_id: AccountId;
  readonly limits_version: string;
}

/** Parameter: maximum accounts. */
export const UNSHARED = {
  name: 'accounts.unshared',
  text: `select a.account_id, a.limits_version, ${LIMIT_COLUMNS} from accounts.account a
         where a.limits_version > a.shared_version limit $1`,
};

/** Parameters: account, version. */
export const NOTE_SHARED = {
  name: 'accounts.note_shared',
  text: `update accounts.account a set shared_version = $2 where a.account_id = $1 and a.shared_version < $2`,
};
