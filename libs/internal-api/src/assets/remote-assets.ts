import type { Readable } from 'node:stream';
import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type {
  Answer,
  AssetId,
  AssetsPort,
  AssetView,
  ContentRange,
  JobId,
  JobInput,
  MintedAsset,
  MintRequest,
  Principal,
  UploadRequest,
  WantedAssets,
} from '@heddle/contracts-messages';
import { SourceBrokenError } from '@heddle/platform-service-calls';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';

/** Longer than the longest upload that a client is allowed. */
const UPLOAD_MS = 660_000;

/** The assets service in another process. Throws ServiceAwayError where it does not answer. */
export class RemoteAssets implements AssetsPort {
  constructor(private readonly client: ServiceClient) {}

  async upload(
    principal: Principal,
    { contentType, idempotencyKey, body }: UploadRequest,
  ): Promise<Answer<MintedAsset>> {
    const head = { principal, contentType: contentType ?? null, idempotencyKey };
    try {
      const { upload: path } = CALLS.assets;
      return (await this.client.upload({ path, head, body, deadlineMs: UPLOAD_MS })).head as Answer<MintedAsset>;
    } catch (error) {
      if (error instanceof SourceBrokenError) return rejected(refuse('bad_request', { case: 'ended_early' }));
      throw error;
    }
  }

  async mintFromHash(principal: Principal, request: MintRequest): Promise<Answer<MintedAsset>> {
    return (await this.#ask(CALLS.assets.mintFromHash, { principal, request }, false)) as Answer<MintedAsset>;
  }

  async canMint(principal: Principal, hash: string): Promise<boolean> {
    return (await this.#ask(CALLS.assets.canMint, { principal, hash })) as boolean;
  }

  async get(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>> {
    return (await this.#ask(CALLS.assets.get, { principal, assetId })) as Answer<AssetView>;
  }

  /** Not repeated: the second time it would not be found. */
  async delete(principal: Principal, assetId: AssetId): Promise<Answer<null>> {
    return (await this.#ask(CALLS.assets.delete, { principal, assetId }, false)) as Answer<null>;
  }

  async content(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>> {
    return (await this.#ask(CALLS.assets.content, { principal, assetId })) as Answer<AssetView>;
  }

  async bytes(principal: Principal, assetId: AssetId, range?: ContentRange): Promise<Answer<Readable>> {
    const asked = { principal, assetId, range: range ?? null };
    const { head, body } = await this.client.download({ path: CALLS.assets.bytes, head: asked });
    const opened = head as Answer<null>;
    if (opened.ok) return accepted(body);
    body.destroy();
    return opened;
  }

  async missing(principal: Principal, assetIds: readonly AssetId[]): Promise<readonly AssetId[]> {
    return (await this.#ask(CALLS.assets.missing, { principal, assetIds })) as readonly AssetId[];
  }

  async hold(principal: Principal, jobId: JobId, wanted: WantedAssets): Promise<Answer<readonly JobInput[]>> {
    return (await this.#ask(CALLS.assets.hold, { principal, jobId, wanted })) as Answer<readonly JobInput[]>;
  }

  async releaseHolds(jobId: JobId): Promise<void> {
    await this.#ask(CALLS.assets.releaseHolds, { jobId });
  }

  async #ask(path: string, head: object, repeatable = true): Promise<unknown> {
    return (await this.client.call({ path, head, repeatable })).head;
  }
}
