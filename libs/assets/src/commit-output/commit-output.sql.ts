import type { BlobKey } from '@heddle/platform-blob-store';
import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';

export interface CommittedOutputRow {
  /** The object that contains the bytes; null if the sweeper took the intent, and nothing was done. */
  readonly settled: BlobKey | null;
}

/**
 * Settles the staged bytes and mints an output over them, in one transaction. Parameters: staged key, hash, size,
 * asset, account, deployment, content type, file path, expiry of the job, job, fence, output key.
 */
export const COMMIT_OUTPUT: EventfulStatement = {
  quiet: { name: 'assets.commit_output', text: commitOutput(false) },
  recording: { name: 'assets.commit_output_recording', text: commitOutput(true) },
};

function commitOutput(recordsEvents: boolean): string {
  return `select assets.commit_output($1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz, $10, $11, $12, ${recordsEvents}) as settled`;
}

export interface HeldInputRow {
  readonly object_key: BlobKey;
  readonly damaged: boolean;
  readonly blocked: boolean;
}

/** The bytes that a job holds as an input. Parameters: job, asset, account. */
export const FIND_INPUT: Statement = {
  name: 'assets.find_input',
  text: `select b.object_key, b.damaged_at is not null as damaged,
                exists (select from assets.verdict v where v.hash = h.hash and v.blocked) as blocked
         from assets.hold h join assets.blob b on b.hash = h.hash
         where h.job_id = $1 and h.asset_id = $2 and h.account_id = $3`,
};

/** The first inputs of a job that moderation has blocked: one suffices to end the job. Parameters: job, account. */
export const FIND_BLOCKED_INPUTS: Statement = {
  name: 'assets.find_blocked_inputs',
  text: `select h.asset_id from assets.hold h
         where h.job_id = $1 and h.account_id = $2
           and exists (select from assets.verdict v where v.hash = h.hash and v.blocked) limit 16`,
};
