import { ASSET_COLUMNS, IS_LIVE } from '../assets-database/asset-row.js';
import type { AssetRow } from '../assets-database/asset-row.js';
import type { Statement } from '../assets-database/assets-database.js';
import { IS_DAMAGED } from '../scrub-blobs/scrub-blobs.sql.js';
import { eventful } from '../publish-events/eventful-statement.js';

interface SourceRow {
  readonly source_type: string;
  readonly source_size: number;
  /** The path that the new record would have. */
  readonly target_path: string;
}
/** The identical reference beside its source; `id` is null if there is none. */
export type ReferenceRow = SourceRow & (AssetRow | { readonly id: null });

/**
 * What the account may mint from, and its identical reference, if any: same account, hash, file path and set of tags.
 * No row: nothing to mint from. Parameters: account, hash, file path or null for that of the newest record, tag set.
 */
export const FIND_REFERENCE: Statement = {
  name: 'assets.find_reference',
  text: `with source as materialized (
           select a.content_type as source_type, a.size_bytes::float8 as source_size, coalesce($3, a.file_path) as target_path
           from assets.asset a where a.hash = $2 and a.account_id = $1 and ${IS_LIVE}
             and not exists (select from assets.verdict v where v.hash = $2 and v.blocked) and not ${IS_DAMAGED}
           order by a.created_at desc, a.id desc limit 1
         )
         select source.*, same.* from source left join lateral (
           select ${ASSET_COLUMNS} from assets.asset a
           where a.hash = $2 and a.account_id = $1 and a.file_path = source.target_path and ${IS_LIVE}
             and hash_array_extended(a.tag_set, 0) = hash_array_extended($4::text[], 0) and a.tag_set = $4::text[]
           order by a.id desc limit 1
         ) same on true`,
};

/**
 * Minters of one blob take turns, and the collector waits for them: what the next statement sees still holds when this
 * transaction commits. Parameter: hash.
 */
export const LOCK_BLOB: Statement = {
  name: 'assets.lock_blob',
  text: 'select from assets.blob where hash = $1 for no key update',
};

/** Never shortens the life, and unlimited stays unlimited. Parameters: asset, seconds from now. */
export const EXTEND_REFERENCE: Statement = {
  name: 'assets.extend_reference',
  text: `update assets.asset a set expires_at = greatest(a.expires_at, heddle.clock_now_ms() + $2 * interval '1 second')
         where a.id = $1 returning ${ASSET_COLUMNS}`,
};

/**
 * Parameters: asset, account, deployment, hash, size, content type, file path, tags, tag set, life in seconds or null.
 */
export const MINT_REFERENCE = eventful(
  'assets.mint_reference',
  (
    record,
  ) => `with a as (insert into assets.asset (id, account_id, deployment_id, hash, size_bytes, content_type, file_path, tags,
                                        tag_set, created_at, expires_at)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, clock.at, clock.at + $10 * interval '1 second'
         from (select heddle.clock_now_ms() as at) clock
         returning *)${record('AssetMinted', 'a')}
         select ${ASSET_COLUMNS} from a`,
);
