import { ACCOUNT_COLUMNS } from '../accounts-database/account-row.js';

/** Parameters: id, name, the six limits. No row: the name is taken. */
export const CREATE_ACCOUNT = {
  name: 'accounts.create_account',
  text: `insert into accounts.account as a
           (account_id, name, created_at, queue_depth, running, streams, storage_bytes, read_rate, read_burst)
         values ($1, $2, heddle.clock_now_ms(), $3, $4, $5, $6, $7, $8)
         on conflict (name) do nothing
         returning ${ACCOUNT_COLUMNS}`,
};
