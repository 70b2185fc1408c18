import type { AccountId, AssetId, AssetView, JobId } from '@heddle/contracts-messages';

/** Columns of a record in answers, for the alias `a`. */
export const ASSET_COLUMNS = `a.id, a.account_id, a.hash, a.size_bytes::float8 as size_bytes, a.content_type, a.file_path,
  a.tags, a.created_at, a.expires_at, a.job_id`;

/** An expired record is gone from that time on, whether or not a sweeper ran; alias `a`. */
export const IS_LIVE = '(a.expires_at is null or a.expires_at > heddle.clock_now())';

export interface AssetRow {
  readonly id: AssetId;
  readonly account_id: AccountId;
  readonly hash: string;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly file_path: string;
  readonly tags: string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly job_id: JobId | null;
}

export function assetView(row: AssetRow): AssetView {
  return {
    id: row.id,
    accountId: row.account_id,
    hash: row.hash,
    sizeBytes: row.size_bytes,
    contentType: row.content_type,
    filePath: row.file_path,
    tags: row.tags,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    jobId: row.job_id,
    signedUrl: null,
  };
}
