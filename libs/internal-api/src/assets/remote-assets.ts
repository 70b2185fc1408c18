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
  StoredContent,
  UploadRequest,
  WantedAssets,
} from '@heddle/contracts-messages';
import { SourceBrokenError } from '@heddle/platform-service-calls';
import type { BytesClient } from '@heddle/platform-service-calls/bytes';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf } from '../encode-values/call-answers.js';
import { AssetsServiceService } from '../generated/heddle/assets/v1/assets.js';
import { assetOf, deletedOf, heldOf, jsonTexts, mintedOf, mintMessage } from './assets-wire.js';
import { ASSET_BYTES } from './byte-paths.js';

/** Longer than the maximum duration of a client's upload. */
const UPLOAD_MS = 660_000;

/** Calls the assets service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteAssets implements AssetsPort {
  constructor(
    private readonly channel: ServiceChannel,
    private readonly transfers: BytesClient,
  ) {}

  async upload(
    principal: Principal,
    { contentType, idempotencyKey, body }: UploadRequest,
  ): Promise<Answer<MintedAsset>> {
    const head = { principal, contentType: contentType ?? null, idempotencyKey };
    try {
      const call = { path: ASSET_BYTES.upload, head, body, deadlineMs: UPLOAD_MS };
      return withUrl((await this.transfers.upload(call)) as Answer<MintedAsset>);
    } catch (error) {
      if (error instanceof SourceBrokenError) return rejected(refuse('bad_request', { case: 'ended_early' }));
      throw error;
    }
  }

  async mintFromHash(principal: Principal, request: MintRequest): Promise<Answer<MintedAsset>> {
    const message = { principal, ...mintMessage(request) };
    return answerOf(await this.channel.call(AssetsServiceService.mintFromHash, message), mintedOf);
  }

  async canMint(principal: Principal, hash: string): Promise<boolean> {
    return (await this.channel.call(AssetsServiceService.canMint, { principal, hash })).canMint;
  }

  async get(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>> {
    return answerOf(await this.channel.call(AssetsServiceService.get, { principal, assetId }), assetOf);
  }

  async delete(principal: Principal, assetId: AssetId): Promise<Answer<null>> {
    return deletedOf(await this.channel.call(AssetsServiceService.delete, { principal, assetId }));
  }

  async content(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>> {
    return answerOf(await this.channel.call(AssetsServiceService.content, { principal, assetId }), assetOf);
  }

  async bytes(principal: Principal, assetId: AssetId, range?: ContentRange): Promise<Answer<Readable>> {
    return await this.#opened({ path: ASSET_BYTES.read, head: { principal, assetId, range: range ?? null } });
  }

  async stored(objectKey: string): Promise<Answer<StoredContent>> {
    return answerOf(await this.channel.call(AssetsServiceService.stored, { objectKey }), (content) => content);
  }

  async storedBytes(objectKey: string, range?: ContentRange): Promise<Answer<Readable>> {
    return await this.#opened({ path: ASSET_BYTES.readStored, head: { objectKey, range: range ?? null } });
  }

  async missing(principal: Principal, assetIds: readonly AssetId[]): Promise<readonly AssetId[]> {
    const request = { principal, idsJson: jsonTexts(assetIds) };
    const { idsJson } = await this.channel.call(AssetsServiceService.missing, request);
    return idsJson.map((json) => JSON.parse(json) as AssetId);
  }

  async hold(principal: Principal, jobId: JobId, { ids, names }: WantedAssets): Promise<Answer<readonly JobInput[]>> {
    const wanted = { idsJson: jsonTexts(ids), namesJson: jsonTexts(names) };
    return answerOf(await this.channel.call(AssetsServiceService.hold, { principal, jobId, ...wanted }), heldOf);
  }

  async nearNames(principal: Principal, name: string): Promise<readonly string[]> {
    const request = { principal, nameJson: JSON.stringify(name) };
    return (await this.channel.call(AssetsServiceService.nearNames, request)).filePaths;
  }

  async releaseHolds(jobId: JobId): Promise<void> {
    await this.channel.call(AssetsServiceService.releaseHolds, { jobId });
  }

  async #opened(call: Parameters<BytesClient['download']>[0]): Promise<Answer<Readable>> {
    const { head, body } = await this.transfers.download(call);
    const opened = head as Answer<null>;
    if (opened.ok) return accepted(body);
    body.destroy();
    return opened;
  }
}

/** An assets service of a build before there were signed URLs names none: it is called during a rolling upgrade. */
function withUrl(answer: Answer<MintedAsset>): Answer<MintedAsset> {
  if (!answer.ok) return answer;
  const { asset, created } = answer.value;
  const { signedUrl = null }: Partial<AssetView> = asset;
  return accepted({ asset: { ...asset, signedUrl }, created });
}
