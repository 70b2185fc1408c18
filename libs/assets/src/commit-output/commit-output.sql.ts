import type { BlobKey } from '@heddle/platform-blob-store';
import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';

export interface CommittedOutputRow {
  /** The object that holds the bytes; null where the sweeper took the intent, and nothing was done. */
  readonly settled: BlobKey | null;
}

/**
 * Settles the staged bytes and mints an output over them, in a transaction of its own. Values: staged key, hash, size,
 * asset, account, deployment, content type, file path, expiry of the job, job, fence, output key.
 */
export const COMMIT_OUTPUT: EventfulStatement = {
  quiet: { name: 'assets.commit_output', text: commitOutput(false) },
  telling: { name: 'assets.commit_output_telling', text: commitOutput(true) },
};

function commitOutput(tells: boolean): string {
  return `select assets.commit_output($1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz, $10, $11, $12, ${tells}) as settled`;
}

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
