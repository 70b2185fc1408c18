import { NIL_UUID } from '@heddle/contracts-messages';
import type { BlobKey } from '@heddle/platform-blob-store';
import { NOW } from '../assets-database/now.js';
import type { Statement } from '../assets-database/assets-database.js';
import { IS_DECIDED } from '../moderate-hash/verdicts.sql.js';

export interface UnscannedRow {
  readonly hash: string;
  readonly content_type: string;
  readonly attempts: number;
  /** Null: the bytes were deleted before any scan. */
  readonly object_key: BlobKey | null;
  readonly size_bytes: number | null;
  /** It needs no scan any more. */
  readonly decided: boolean;
}

const COLUMNS = `u.hash, u.content_type, u.attempts, b.object_key, b.size_bytes::float8 as size_bytes,
           exists (select from assets.verdict v where v.hash = u.hash and ${IS_DECIDED}) as decided
         from assets.unscanned u left join assets.blob b on b.hash = u.hash`;

/** Hashes without an attempt to scan them. Parameters: hashes that are being scanned, maximum rows. */
export const NEXT_FRESH: Statement = {
  name: 'assets.next_fresh_hashes',
  text: `select ${COLUMNS} where u.attempts = 0 and u.hash <> all($1::text[]) order by u.queued_at limit $2`,
};

/** Hashes whose last scan failed and whose pause is over. Parameters: as above. */
export const NEXT_RETRIES: Statement = {
  name: 'assets.next_hash_retries',
  text: `select ${COLUMNS}
         where u.attempts > 0 and u.due_at <= ${NOW} and u.hash <> all($1::text[]) order by u.due_at limit $2`,
};

/** Parameters: hash, pause until the next scan in milliseconds. */
export const POSTPONE_SCAN: Statement = {
  name: 'assets.postpone_scan',
  text: `update assets.unscanned
         set attempts = attempts + 1, due_at = heddle.clock_now() + $2 * interval '1 millisecond' where hash = $1`,
};

/** Not of bytes that were uploaded again since they were looked for. Parameter: hashes. */
export const DROP_UNSCANNED: Statement = {
  name: 'assets.drop_unscanned',
  text: `delete from assets.unscanned u where u.hash = any($1::text[])
           and (not exists (select from assets.blob b where b.hash = u.hash)
             or exists (select from assets.verdict v where v.hash = u.hash and ${IS_DECIDED}))`,
};

export interface BacklogRow {
  /** Seconds since the oldest hash was queued; null: none waits. */
  readonly age: number | null;
  /** Counted up to the limit. */
  readonly waiting: number;
}

/** Parameter: maximum rows to count. */
export const MEASURE_BACKLOG: Statement = {
  name: 'assets.measure_backlog',
  text: `select extract(epoch from ${NOW} - least(
                  (select queued_at from assets.unscanned where attempts = 0 order by queued_at limit 1),
                  (select queued_at from assets.unscanned where attempts > 0 order by queued_at limit 1)))::float8 as age,
                (select count(*) from (select from assets.unscanned limit $1) counted)::int as waiting`,
};

export interface ReviewedRow {
  /** Null: the pass is at its end. */
  readonly last: BlobKey | null;
}

/**
 * Queues uploaded bytes that no scanner has seen, in the order of their object keys: from before there was a scanner,
 * or by a build that does not queue. Parameters: the last key of the pass or null, maximum rows.
 */
export const QUEUE_MISSED: Statement = {
  name: 'assets.queue_missed_hashes',
  text: `with page as materialized (
           select hash, object_key from assets.blob
           where object_key > coalesce($1::uuid, '${NIL_UUID}') order by object_key limit $2
         ), queued as (
           insert into assets.unscanned (hash, content_type, queued_at, due_at)
           select page.hash, upload.content_type, heddle.clock_now_ms(), heddle.clock_now_ms()
           from page cross join lateral (
             select a.content_type from assets.asset a where a.hash = page.hash and a.job_id is null limit 1
           ) upload
           where not exists (select from assets.verdict v where v.hash = page.hash and ${IS_DECIDED})
           on conflict do nothing
         )
         select (select object_key from page order by object_key desc limit 1) as last`,
};
