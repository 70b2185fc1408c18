import { retentionSeconds, tagSet } from '@heddle/assets-domain';
import type { AssetId, Principal } from '@heddle/contracts-messages';
import { isLockTimeout } from '@heddle/platform-database';
import { CommitUnknownError, keep, undo } from '../assets-database/assets-database.js';
import type { AssetsDatabase, Ending, Session } from '../assets-database/assets-database.js';
import { wasMinted } from '../assets-database/was-minted.js';
import type { AssetsSettings } from '../settings.js';
import type { BlobFacts } from '../stage-blob/staged-blob.js';
import { SETTLE_BLOB } from '../stage-blob/upload-intent.sql.js';
import type { SettledBlobRow } from '../stage-blob/upload-intent.sql.js';
import { CLAIM_KEY, MINT_UPLOAD } from './commit-upload.sql.js';
import type { MintedUploadRow } from './commit-upload.sql.js';
import type { UploadFields } from './upload-fields.js';

/** A complete upload: its bytes are stored and its form is valid. */
interface UploadToCommit {
  readonly assetId: AssetId;
  readonly principal: Principal;
  readonly idempotencyKey: string | null;
  readonly facts: BlobFacts;
  readonly fields: UploadFields;
  readonly stagedKey: string;
}

export type UploadCommit =
  | { readonly kind: 'minted'; readonly row: MintedUploadRow }
  | { readonly kind: 'key_claimed' }
  | { readonly kind: 'blocked' }
  /** The lease had expired: the object belongs to the sweeper. */
  | { readonly kind: 'lease_lost' };

/** Claims the key, settles the blob, mints the record: all or nothing (reliability 3.6, W4). */
export async function commitUpload(
  database: AssetsDatabase,
  settings: AssetsSettings,
  upload: UploadToCommit,
): Promise<UploadCommit> {
  let minted: UploadCommit | undefined;
  try {
    return await database.transaction(async (session) => {
      const ending = await decide(session, settings, upload);
      minted = ending.value;
      return ending;
    });
  } catch (error) {
    if (!(error instanceof CommitUnknownError) || minted === undefined) throw error;
    if (await wasMinted(database, upload.assetId, upload.principal.accountId)) return minted;
    throw error;
  }
}

async function decide(
  session: Session,
  settings: AssetsSettings,
  upload: UploadToCommit,
): Promise<Ending<UploadCommit>> {
  const { principal, facts, fields } = upload;
  if (upload.idempotencyKey !== null) {
    const claim = [principal.accountId, upload.idempotencyKey, upload.assetId, settings.keyLifeMs];
    // A concurrent transaction that holds the key for longer than we may wait counts as its owner (api-v2, Idempotency
    // rules 2).
    const claimed = await session.query(CLAIM_KEY, claim).catch((error: unknown) => {
      if (isLockTimeout(error)) return [];
      throw error;
    });
    if (claimed.length === 0) return undo({ kind: 'key_claimed' });
  }
  const [blob] = await session.query<SettledBlobRow>(SETTLE_BLOB, [upload.stagedKey, facts.hash, facts.sizeBytes]);
  if (blob === undefined) return undo({ kind: 'lease_lost' });
  const [row] = await session.query<MintedUploadRow>(MINT_UPLOAD, [
    upload.assetId,
    principal.accountId,
    principal.deploymentId,
    facts.hash,
    facts.sizeBytes,
    fields.contentType,
    fields.filePath,
    fields.tags,
    tagSet(fields.tags),
    retentionSeconds(fields.expiresIn, settings.retentionOf(principal.deploymentId)),
    upload.stagedKey,
    blob.object_key,
    settings.dedupDisclosure === 'platform',
    settings.moderationUrl !== null,
  ]);
  if (row === undefined) return undo({ kind: 'blocked' });
  return keep({ kind: 'minted', row });
}
