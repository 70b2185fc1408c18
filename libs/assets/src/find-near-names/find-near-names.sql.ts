import { IS_LIVE } from '../assets-database/asset-row.js';
import type { Statement } from '../assets-database/assets-database.js';

export interface NearNameRow {
  readonly file_path: string;
}

/** Records that are read on each side of a name. */
const MAX_NEIGHBOURS = 128;

/**
 * Paths of an account beside a name, in the order of the index of names: those that begin alike. The bounds stand before the look at
 * expiry, so that no number of expired records makes it longer. Values: account, name.
 */
export const FIND_NEAR_NAMES: Statement = {
  name: 'assets.find_near_names',
  text: `select distinct a.file_path from (
           (select file_path, expires_at from assets.asset where account_id = $1 and file_path >= $2
              order by file_path, created_at desc, id desc limit ${MAX_NEIGHBOURS})
           union all
           (select file_path, expires_at from assets.asset where account_id = $1 and file_path < $2
              order by file_path desc, created_at, id limit ${MAX_NEIGHBOURS})
         ) a where ${IS_LIVE}`,
};
