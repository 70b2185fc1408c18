import type { AccountId } from '@heddle/contracts-messages';

export interface NamedAccountRow {
  readonly account_id: AccountId;
  readonly name: string;
}

/** Parameter: ids. */
export const NAME_ACCOUNTS = {
  name: 'accounts.name_accounts',
  text: `select account_id, name from accounts.account where account_id = any($1::uuid[])`,
};
