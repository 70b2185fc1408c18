import type { AccountId, AssetId, DeploymentId, JobId } from './ids.js';

/** Topic of what happened to assets and to the bytes behind them; the key is the asset's id, or the hash. */
export const ASSET_EVENTS_TOPIC = 'heddle.assets.events.v1';

interface AssetMessageHead {
  /** The same for every copy of the message. */
  readonly eventId: string;
  /** `blake3:` and 64 hex digits. */
  readonly hash: string;
  /** ISO 8601, by the database's clock. */
  readonly recordedAt: string;
}

interface RecordMessage extends AssetMessageHead {
  readonly assetId: AssetId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly sizeBytes: number;
}

/** A record was minted over bytes that the account sent. */
export interface AssetUploadedMessage extends RecordMessage {
  readonly type: 'AssetUploaded';
}

/** A record was minted without sending bytes: from a hash, or as the output of a job. */
export interface AssetMintedMessage extends RecordMessage {
  readonly type: 'AssetMinted';
  /** null: from a hash. */
  readonly jobId: JobId | null;
}

/** A record is gone. Its bytes stay for as long as anything else refers to them. */
export interface AssetDeletedMessage extends RecordMessage {
  readonly type: 'AssetDeleted';
  readonly jobId: JobId | null;
  /** By its owner, by time, or because no event of its job named the output. */
  readonly reason: 'deleted' | 'expired' | 'unnamed';
}

/** A verdict on bytes, stored or not: from now on nobody uploads, mints or reads them, or everybody may again. */
export interface HashJudgedMessage extends AssetMessageHead {
  readonly type: 'HashBlocked' | 'HashUnblocked';
}

/** The stored bytes are not those of the hash any more: nobody mints from them until they are sent again. */
export interface BlobDamagedMessage extends AssetMessageHead {
  readonly type: 'BlobDamaged';
  readonly sizeBytes: number;
}

/** No user content, no names: what other services may keep. */
export type AssetMessage =
  AssetUploadedMessage | AssetMintedMessage | AssetDeletedMessage | HashJudgedMessage | BlobDamagedMessage;
