import { ACCOUNT_COLUMNS } from '../accounts-database/account-row.js';

/** Parameters: name, which of the six limits are given, the six limits. */
export const SET_LIMITS = {
  name: 'accounts.set_limits',
  text: `update accounts.account a set
           queue_depth = case when ($2::boolean[])[1] then $3 else queue_depth end,
           running = case when ($2::boolean[])[2] then $4 else running end,
           streams = case when ($2::boolean[])[3] then $5 else streams end,
           storage_bytes = case when ($2::boolean[])[4] then $6 else storage_bytes end,
           read_rate = case when ($2::boolean[])[5] then $7 else read_rate end,
           read_burst = case when ($2::boolean[])[6] then $8 else read_burst end,
           limits_version = limits_version + 1
         where a.name = $1
         returning ${ACCOUNT_COLUMNS}`,
};
