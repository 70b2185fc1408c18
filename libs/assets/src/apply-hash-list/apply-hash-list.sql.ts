import type { Statement } from '../assets-database/assets-database.js';

export interface ListedRow {
  readonly hash: string;
  /** An operator unblocked it, and that stands above the list. */
  readonly by_hand: boolean;
}

/** Hashes that are not blocked, of a list. Parameter: hashes. */
export const FIND_UNBLOCKED: Statement = {
  name: 'assets.find_unblocked',
  text: `select listed.hash, coalesce(v.by_hand, false) as by_hand
         from unnest($1::text[]) as listed (hash) left join assets.verdict v on v.hash = listed.hash
         where v.hash is null or not v.blocked`,
};
