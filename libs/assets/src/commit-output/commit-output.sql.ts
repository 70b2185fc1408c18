import type { BlobKey } from '@heddle/platform-blob-store';
import type { Statement } from '../assets-database/assets-database.js';
import { eventful } from '../tell-events/eventful-statement.js';

/**
 * Mints an output under its job and fence over a blob that this transaction has locked. Values: asset, account,
 * deployment, hash, size, content type, file path, expiry of the job, job, fence, output key, staged key, settled key.
 */
export const MINT_OUTPUT = eventful(
  'assets.mint_output',
  (tell) => `with surplus as (
           insert into assets.delete_task (object_key, created_at) select $12::uuid, heddle.clock_now()
           where $12::uuid <> $13::uuid
         ), minted as (
         insert into assets.asset (id, account_id, deployment_id, hash, size_bytes, content_type, file_path, tags, tag_set,
                                   created_at, expires_at, job_id, fence, output_key, retained_until)
         values ($1, $2, $3, $4, $5, $6, $7, '{}', '{}', heddle.clock_now_ms(), $8::timestamptz, $9, $10, $11,
                 $8::timestamptz)
         returning *)${tell('AssetMinted', 'minted')}
         select from minted`,
);

export interface HeldInputRow {
  readonly object_key: BlobKey;
  readonly damaged: boolean;
}

/** The bytes that a job holds, or those of a record that still lives. Values: job, asset, hash. */
export const FIND_INPUT: Statement = {
  name: 'assets.find_input',
  text: `select b.object_key, b.damaged_at is not null as damaged from assets.blob b where b.hash = $3 and (
           exists (select from assets.hold h where h.job_id = $1 and h.asset_id = $2 and h.hash = b.hash)
           or exists (select from assets.asset a where a.id = $2 and a.hash = b.hash)
         )`,
};
