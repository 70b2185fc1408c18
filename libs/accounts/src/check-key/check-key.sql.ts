import type { Scope } from '@heddle/contracts-api-v2';
import type { AccountId } from '@heddle/contracts-messages';
import { LIMIT_COLUMNS } from '../accounts-database/account-row.js';
import type { LimitColumns } from '../accounts-database/account-row.js';

export interface FoundKeyRow extends LimitColumns {
  readonly key_id: string;
  readonly digest: Buffer;
  readonly account_id: AccountId;
  readonly account: string;
  readonly scopes: readonly Scope[];
  readonly suspended: boolean;
  readonly revoked: boolean;
  /** Milliseconds until it expires by the database's clock; null: never. */
  readonly left_ms: number | null;
}

/** Parameter: key ids. Before a key is checked, no account is known: the key names it. */
export const LOOK_UP_KEYS = {
  name: 'accounts.look_up_keys',
  text: `with now as materialized (select heddle.clock_now() as at)
         select k.key_id, k.digest, k.account_id, a.name as account, k.scopes, a.suspended_at is not null as suspended,
           k.revoked_at is not null as revoked,
           (extract(epoch from k.expires_at - now.at) * 1000)::double precision as left_ms, ${LIMIT_COLUMNS}
         from now, accounts.api_key k join accounts.account a using (account_id)
         where k.key_id = any($1::text[])`,
};
