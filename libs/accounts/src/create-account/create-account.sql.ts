import { ACCOUNT_COLUMNS } from '../accounts-database/account-row.js';

/** Parameters: id, name, the six limits. No row: the name is taken. */
export const CREATE_ACCOUNT = {
  name: 'accounts.create_account',
  text: `insert into accounts.account as a
           (account_id, name, created_at, queue_depth, running, streams, storage_bytes, read_rate, read_burst,
            limits_version)
         values ($1, $2, heddle.clock_now_ms(), $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::float8, $8::bigint,
                 least(num_nonnulls($3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::float8, $8::bigint), 1))
         on conflict (name) do nothing
         returning ${ACCOUNT_COLUMNS}`,
};
