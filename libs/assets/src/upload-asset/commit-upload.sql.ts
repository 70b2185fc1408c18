import type { AssetRow } from '../assets-database/asset-row.js';
import { ASSET_COLUMNS, IS_LIVE } from '../assets-database/asset-row.js';
import type { Statement } from '../assets-database/assets-database.js';
import { IS_DECIDED } from '../moderate-hash/verdicts.sql.js';
import { eventful } from '../publish-events/eventful-statement.js';

/** A row if the account holds the key. Parameters: account, key, life of a key in milliseconds. */
export const FIND_CLAIM: Statement = {
  name: 'assets.find_claim',
  text: `select from assets.idempotency_key
         where account_id = $1 and key = $2 and claimed_at > heddle.clock_now() - $3 * interval '1 millisecond'`,
};

/**
 * Claims a key, or takes over one past its life; no row if it is held. Waits for a concurrent commit. Parameters:
 * account, key, asset, life of a key in milliseconds.
 */
export const CLAIM_KEY: Statement = {
  name: 'assets.claim_key',
  text: `insert into assets.idempotency_key as held (account_id, key, asset_id, claimed_at)
         values ($1, $2, $3, heddle.clock_now())
         on conflict (account_id, key) do update set asset_id = excluded.asset_id, claimed_at = excluded.claimed_at
           where held.claimed_at <= heddle.clock_now() - $4 * interval '1 millisecond'
         returning asset_id`,
};

export interface MintedUploadRow extends AssetRow {
  /** The account (or, by setting, the platform) could mint from these bytes before. */
  readonly known: boolean;
}

/**
 * Mints the record over a blob that this transaction has locked, and releases the staged object if another one holds
 * the bytes. No row: the bytes are blocked. Parameters: asset, account, deployment, hash, size, content type, file
 * path, tags, tag set, life in seconds or null, staged key, settled key, platform-wide disclosure, whether there is a
 * scanner.
 */
export const MINT_UPLOAD = eventful(
  'assets.mint_upload',
  (record) => `with clock as materialized (select heddle.clock_now_ms() as at),
         blocked as materialized (select from assets.verdict where hash = $4 and blocked),
         known as materialized (
           select exists (select from assets.asset a where a.hash = $4 and ($13 or a.account_id = $2) and ${IS_LIVE}) as known
         ),
         surplus as (
           insert into assets.delete_task (object_key, created_at) select $11::uuid, clock.at from clock
           where $11::uuid <> $12::uuid and not exists (select from blocked)
         ),
         a as (
           insert into assets.asset (id, account_id, deployment_id, hash, size_bytes, content_type, file_path, tags,
                                     tag_set, created_at, expires_at)
           select $1, $2, $3, $4, $5, $6, $7, $8, $9, clock.at, clock.at + $10 * interval '1 second' from clock
           where not exists (select from blocked)
           returning *
         ),
         unscanned as (
           insert into assets.unscanned (hash, content_type, queued_at, due_at)
           select $4, $6, clock.at, clock.at from clock
           where $14::boolean and not exists (select from blocked)
             and not exists (select from assets.verdict v where v.hash = $4 and ${IS_DECIDED})
           on conflict do nothing
         )${record('AssetUploaded', 'a')}
         select ${ASSET_COLUMNS}, known.known from a, known`,
);
