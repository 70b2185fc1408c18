import type { Readable } from 'node:stream';
import type { Answer } from './answer.js';
import type { AccountId, AssetId, JobId } from './ids.js';
import type { JobInput } from './jobs.port.js';
import type { WorkerLease } from './lease.js';
import type { OutputType } from './job-view.js';
import type { Principal } from './principal.js';

/** The gateway's calls to the assets service. Implementations pass `test/internal-calls/asset-ports.suite.ts`. */
export interface AssetsPort {
  /** Reads the whole multipart body as it arrives; a refusal leaves nothing behind. */
  upload(principal: Principal, request: UploadRequest): Promise<Answer<MintedAsset>>;
  mintFromHash(principal: Principal, request: MintRequest): Promise<Answer<MintedAsset>>;
  /** HEAD by-hash: false for unknown, foreign, blocked and malformed alike. */
  canMint(principal: Principal, hash: string): Promise<boolean>;
  get(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>>;
  /** Holds of ended jobs do not count, even if the message of their end has not arrived: the jobs service is asked. */
  delete(principal: Principal, assetId: AssetId): Promise<Answer<null>>;
  /** The record of an asset whose bytes can be read now. */
  content(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>>;
  /** Its bytes, whole or a range; the caller must read or destroy the stream. */
  bytes(principal: Principal, assetId: AssetId, range?: ContentRange): Promise<Answer<Readable>>;
  /**
   * Stored bytes that a verified signed URL names, of any account. Refuses blocked ones and those that are gone with
   * `forbidden`.
   */
  stored(objectKey: string): Promise<Answer<StoredContent>>;
  /** These bytes, whole or a range; the caller must read or destroy the stream. */
  storedBytes(objectKey: string, range?: ContentRange): Promise<Answer<Readable>>;
  /** Ids of the list that are not live assets of the account. */
  missing(principal: Principal, assetIds: readonly AssetId[]): Promise<readonly AssetId[]>;
  /**
   * Checks that every id is a live asset of the account, finds the newest asset for each name, and places provisional
   * holds under the job id (docs/architecture/04-assets-and-blobs.md, Holds). Names without a match are missing from
   * the answer. Refuses with `missing_asset` and `details.missing_ids`.
   */
  hold(principal: Principal, jobId: JobId, wanted: WantedAssets): Promise<Answer<readonly JobInput[]>>;
  /** Paths of live assets that begin as a name does, a bounded number: what a misspelt name may have meant. */
  nearNames(principal: Principal, name: string): Promise<readonly string[]>;
  /** Called after a refused submission; ten minutes of silence have the same effect. */
  releaseHolds(jobId: JobId): Promise<void>;
}
export const ASSETS_PORT = Symbol('AssetsPort');

export interface UploadRequest {
  /** The request's Content-Type header. */
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | null;
  readonly body: Readable;
}

export interface MintRequest {
  readonly hash: string;
  readonly filePath: string | null;
  readonly tags: readonly string[];
  /** Seconds, 60..604800, or null for the surface's default. */
  readonly expiresIn: number | null;
}

export interface MintedAsset {
  readonly asset: AssetView;
  /** upload: new to the account; from-hash: a new record (201), false = an identical reference existed (200). */
  readonly created: boolean;
}

export interface AssetView {
  readonly id: AssetId;
  readonly accountId: AccountId;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly filePath: string;
  readonly tags: readonly string[];
  readonly createdAt: string;
  /** null = never */
  readonly expiresAt: string | null;
  readonly jobId: JobId | null;
  /** Fresh in every answer; null where content is answered with bytes, and for blocked bytes. */
  readonly signedUrl: SignedUrl | null;
}

/** A link that gives an asset's bytes to everyone who has it. */
export interface SignedUrl {
  /** Absolute, or path and query of a route of the gateway. */
  readonly url: string;
  /** Its last second. */
  readonly expiresAt: string;
}

/** Bytes by themselves, without a record over them. */
export interface StoredContent {
  readonly hash: string;
  readonly sizeBytes: number;
}

/** Bytes of an asset, both bounds inclusive. */
export interface ContentRange {
  readonly start: number;
  readonly end: number;
}

export interface WantedAssets {
  readonly ids: readonly AssetId[];
  readonly names: readonly string[];
}

/**
 * A worker's calls to the assets service. Rejects with LeaseRefusedError if the worker does not hold the lease;
 * account, deployment and expiry come from the jobs service. Implementations pass
 * `test/internal-calls/asset-ports.suite.ts`.
 */
export interface WorkerAssetsPort {
  /**
   * The bytes of an asset that the job holds as an input. Rejects with InputBlockedError if moderation has blocked
   * them.
   */
  openInput(lease: WorkerLease, assetId: AssetId): Promise<Readable>;
  /** Some of the job's inputs that moderation has blocked, if there are any: such a job must not run. */
  blockedInputs(lease: WorkerLease): Promise<readonly AssetId[]>;
  /** Stores an output and mints its asset under job and fence, for the job's account; confirmed by the job's event. */
  commitOutput(lease: WorkerLease, output: OutputUpload): Promise<CommittedOutput>;
}
export const WORKER_ASSETS_PORT = Symbol('WorkerAssetsPort');

/** Name of InputBlockedError, and the code under which it crosses processes. */
export const INPUT_BLOCKED = 'InputBlockedError';

/** Moderation has blocked these bytes: a retry would fail the same way. */
export class InputBlockedError extends Error {
  override readonly name = INPUT_BLOCKED;

  constructor(assetId: AssetId) {
    super(`the bytes of the input ${assetId} are blocked by content moderation`);
  }
}

/** Maximum characters of an output's name, extension included: a worker shortens longer engine names. */
export const MAX_OUTPUT_NAME = 1_024;
/** Maximum characters of a media type: a worker replaces a longer one with application/octet-stream. */
export const MAX_OUTPUT_CONTENT_TYPE = 255;

export interface OutputUpload {
  readonly key: string;
  readonly name: string;
  readonly type: OutputType;
  readonly contentType: string;
  readonly body: Readable;
}

export interface CommittedOutput {
  readonly assetId: AssetId;
  readonly hash: string;
  readonly sizeBytes: number;
}
