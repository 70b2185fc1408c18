import { Inject, Injectable, Logger } from '@nestjs/common';
import { matchesExpectedHash } from '@heddle/assets-domain';
import { accepted, newUuid, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetId, MintedAsset, Principal, Rejection, UploadRequest } from '@heddle/contracts-messages';
import { failpoint, isOutage } from '@heddle/platform-database';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import { assetView } from '../assets-database/asset-row.js';
import { AssetsDatabase, CommitUnknownError } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { chunkRecycler } from '../receive-body/chunk-recycler.js';
import { StagedBlob } from '../stage-blob/staged-blob.js';
import { withinStorage } from '../limit-storage/within-storage.js';
import { commitUpload } from './commit-upload.js';
import type { UploadCommit } from './commit-upload.js';
import { FIND_CLAIM } from './commit-upload.sql.js';
import { readUpload } from './read-upload.js';

const MAX_SHOWN_NAME = 64;

/**
 * Receives one file with its fields and mints a record over its bytes (api-v2, POST /assets). The bytes pass once: from
 * the socket through the hash to the disk. A refusal leaves no object, row or claimed key behind.
 */
@Injectable()
export class UploadAssetHandler {
  readonly #logger = new Logger(UploadAssetHandler.name);

  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
  ) {}

  async handle(principal: Principal, request: UploadRequest): Promise<Answer<MintedAsset>> {
    try {
      // Checked before a hundred megabytes are read; the claim itself is part of the commit.
      if (await this.#isClaimed(principal, request))
        return rejected(refuse('idempotency_key_reuse', { case: 'upload' }));
      return await this.#receive(principal, request);
    } catch (error) {
      if (isOutage(error))
        this.#logger.warn({ message: 'an upload failed: a dependency is unreachable', reason: String(error) });
      else this.#logger.error({ message: `an upload failed: ${String(error)}`, err: error });
      return rejected(refuse('upstream_error', { case: 'upload_failed' }));
    }
  }

  async #receive(principal: Principal, request: UploadRequest): Promise<Answer<MintedAsset>> {
    const { uploadLeaseMs } = this.settings;
    const recycle = chunkRecycler(request.body);
    const intent = { accountId: principal.accountId, leaseMs: uploadLeaseMs };
    const staged = new StagedBlob(this.database, this.store, intent, recycle);
    try {
      const reading = await readUpload(request, staged, this.settings);
      if (reading.kind === 'failed') throw reading.error;
      if (reading.kind === 'refused') return await this.#refuse(staged, principal, request, reading.rejection);
      const { fields } = reading;
      if (fields.unknown.length > 0) this.#logger.debug(`parts of an upload are ignored: ${namesText(fields.unknown)}`);
      const facts = staged.facts();
      if (fields.expectedHash !== null && !matchesExpectedHash(fields.expectedHash, facts.hash)) {
        return await this.#refuse(staged, principal, request, refuse('hash_mismatch', { case: 'upload' }));
      }
      await staged.finish();
      const upload = {
        assetId: newUuid() as AssetId,
        principal,
        idempotencyKey: request.idempotencyKey,
        facts,
        fields,
        stagedKey: staged.key,
      };
      const commit = await withinStorage(this.database, this.settings, async () =>
        commitUpload(this.database, this.settings, upload),
      );
      if (!commit.ok) return await this.#refuse(staged, principal, request, commit.rejection);
      failpoint('assets.upload.committed');
      return await this.#answer(staged, principal, request, commit.value);
    } catch (error) {
      // If a commit may have happened, the object may be a live blob: the intent row decides.
      if (error instanceof CommitUnknownError) staged.release();
      else await staged.discard();
      throw error;
    }
  }

  async #answer(
    staged: StagedBlob,
    principal: Principal,
    request: UploadRequest,
    commit: UploadCommit,
  ): Promise<Answer<MintedAsset>> {
    switch (commit.kind) {
      case 'minted':
        staged.release();
        return accepted({ asset: assetView(commit.row), created: !commit.row.known });
      case 'key_claimed':
        await staged.discard();
        return rejected(refuse('idempotency_key_reuse', { case: 'upload' }));
      case 'blocked':
        return this.#refuse(staged, principal, request, refuse('input_blocked', { case: 'bytes' }));
      case 'lease_lost':
        staged.release();
        throw new Error('the lease of an upload expired before its bytes were committed');
    }
  }

  /** Whatever the reason: with a claimed key the answer is the reuse (decisions, Refusals with a used key). */
  async #refuse(
    staged: StagedBlob,
    principal: Principal,
    request: UploadRequest,
    rejection: Rejection,
  ): Promise<Answer<MintedAsset>> {
    await staged.discard();
    if (await this.#isClaimed(principal, request)) return rejected(refuse('idempotency_key_reuse', { case: 'upload' }));
    return { ok: false, rejection };
  }

  async #isClaimed(principal: Principal, request: UploadRequest): Promise<boolean> {
    if (request.idempotencyKey === null) return false;
    const held = [principal.accountId, request.idempotencyKey, this.settings.keyLifeMs];
    return (await this.database.query(FIND_CLAIM, held)).length > 0;
  }
}

function namesText(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name.slice(0, MAX_SHOWN_NAME))).join(', ');
}
