import type { Statement } from '../assets-database/assets-database.js';

/** Parameters: account, bytes or null, version. A later change that came first stays. */
export const LIMIT_STORAGE: Statement = {
  name: 'assets.limit_storage',
  text: `insert into assets.account_storage as s (account_id, limit_bytes, version) values ($1, $2, $3)
         on conflict (account_id) do update set limit_bytes = excluded.limit_bytes, version = excluded.version
         where s.version < excluded.version`,
};

export interface StoredBytesRow {
  readonly account_id: string;
  readonly stored_bytes: string;
}

/** Parameter: accounts. */
export const STORED_BYTES: Statement = {
  name: 'assets.stored_bytes',
  text: 'select s.account_id, s.stored_bytes from assets.account_storage s where s.account_id = any($1::uuid[])',
};
