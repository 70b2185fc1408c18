import type { AccountId, AssetId, DeploymentId, JobId } from './ids.js';

/** Topic of events of assets and blobs; the key is the asset id, or the hash. */
export const ASSET_EVENTS_TOPIC = 'heddle.assets.events.v1';

interface AssetMessageHead {
  /** Identical in every copy of the message. */
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

/** A record was minted over uploaded bytes. */
interface AssetUploadedMessage extends RecordMessage {
  readonly type: 'AssetUploaded';
}

/** A record was minted without an upload: from a hash, or as an output of a job. */
interface AssetMintedMessage extends RecordMessage {
  readonly type: 'AssetMinted';
  /** null: from a hash. */
  readonly jobId: JobId | null;
}

/** A record was deleted. Its bytes stay while anything else refers to them. */
interface AssetDeletedMessage extends RecordMessage {
  readonly type: 'AssetDeleted';
  readonly jobId: JobId | null;
  /** By its owner, by expiry, or because no event of its job named the output. */
  readonly reason: 'deleted' | 'expired' | 'unnamed';
}

/** A verdict on bytes, stored or not: from now on every upload, mint and read is refused, or is allowed again. */
interface HashJudgedMessage extends AssetMessageHead {
  readonly type: 'HashBlocked' | 'HashUnblocked';
}

/** The stored bytes no longer match the hash: they cannot be minted until they are uploaded again. */
interface BlobDamagedMessage extends AssetMessageHead {
  readonly type: 'BlobDamaged';
  readonly sizeBytes: number;
}

/** Without user content or names: other services may store it. */
export type AssetMessage =
  AssetUploadedMessage | AssetMintedMessage | AssetDeletedMessage | HashJudgedMessage | BlobDamagedMessage;
