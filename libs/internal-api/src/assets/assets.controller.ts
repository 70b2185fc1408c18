import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetId, AssetsPort, JobId, MintRequest } from '@heddle/contracts-messages';
import { GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { resultOf } from '../encode-values/call-answers.js';
import { idOf, principalOf, textOfJson } from '../encode-values/call-values.js';
import { AssetsServiceService } from '../generated/heddle/assets/v1/assets.js';
import type {
  CanMintRequest,
  CanMintResponse,
  DeleteRequest,
  DeleteResponse,
  GetRequest,
  GetResponse,
  HoldRequest,
  HoldResponse,
  MintFromHashRequest,
  MintFromHashResponse,
  MissingRequest,
  MissingResponse,
  NearNamesRequest,
  NearNamesResponse,
  ReleaseHoldsRequest,
  StoredRequest,
  StoredResponse,
} from '../generated/heddle/assets/v1/assets.js';
import { GATEWAYS } from '../internal-calls.js';
import { assetMessage, deletedMessage, heldMessage, jsonTexts, mintedMessage } from './assets-wire.js';
import type { MintMessage } from './assets-wire.js';

/** Serves AssetsPort over gRPC; `asset-bytes.ts` serves its bytes over HTTP. */
@GrpcController(AssetsServiceService)
export class AssetsController implements Serving<typeof AssetsServiceService> {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  async mintFromHash({ principal, ...request }: MintFromHashRequest): Promise<MintFromHashResponse> {
    const answer = await this.assets.mintFromHash(principalOf(principal), mintRequestOf(request));
    return resultOf('minted', answer, mintedMessage);
  }

  async canMint({ principal, hash }: CanMintRequest): Promise<CanMintResponse> {
    return { canMint: await this.assets.canMint(principalOf(principal), hash) };
  }

  async get({ principal, assetId }: GetRequest): Promise<GetResponse> {
    return resultOf('asset', await this.assets.get(principalOf(principal), idOf(assetId, 'asset')), assetMessage);
  }

  async delete({ principal, assetId }: DeleteRequest): Promise<DeleteResponse> {
    return deletedMessage(await this.assets.delete(principalOf(principal), idOf(assetId, 'asset')));
  }

  async content({ principal, assetId }: GetRequest): Promise<GetResponse> {
    return resultOf('asset', await this.assets.content(principalOf(principal), idOf(assetId, 'asset')), assetMessage);
  }

  async stored({ objectKey }: StoredRequest): Promise<StoredResponse> {
    return resultOf('stored', await this.assets.stored(objectKey), (content) => content);
  }

  async missing({ principal, idsJson }: MissingRequest): Promise<MissingResponse> {
    const missing = await this.assets.missing(principalOf(principal), writtenIds(idsJson));
    return { idsJson: jsonTexts(missing) };
  }

  async hold({ principal, jobId, idsJson, namesJson }: HoldRequest): Promise<HoldResponse> {
    const wanted = { ids: writtenIds(idsJson), names: namesJson.map((json) => textOfJson(json, 'names_json')) };
    const answer = await this.assets.hold(principalOf(principal), idOf<JobId>(jobId, 'job'), wanted);
    return resultOf('held', answer, heldMessage);
  }

  async nearNames({ principal, nameJson }: NearNamesRequest): Promise<NearNamesResponse> {
    const name = textOfJson(nameJson, 'name_json');
    return { filePaths: [...(await this.assets.nearNames(principalOf(principal), name))] };
  }

  async releaseHolds({ jobId }: ReleaseHoldsRequest): Promise<Record<string, never>> {
    await this.assets.releaseHolds(idOf<JobId>(jobId, 'job'));
    return {};
  }
}

function mintRequestOf({ hash, filePathJson, tagsJson, expiresIn }: MintMessage): MintRequest {
  return {
    hash,
    filePath: filePathJson === undefined ? null : textOfJson(filePathJson, 'file_path_json'),
    tags: tagsJson.map((json) => textOfJson(json, 'tags_json')),
    expiresIn: expiresIn ?? null,
  };
}

/** Ids as a client wrote them: the service reports an invalid id as missing. */
function writtenIds(json: readonly string[]): AssetId[] {
  return json.map((one) => textOfJson(one, 'ids_json') as AssetId);
}

export const ASSETS_CALLS = {
  definition: AssetsServiceService,
  rules: {
    mintFromHash: { openTo: GATEWAYS },
    canMint: { openTo: GATEWAYS },
    get: { openTo: GATEWAYS },
    delete: { openTo: GATEWAYS },
    content: { openTo: GATEWAYS },
    stored: { openTo: GATEWAYS },
    // As large as a body: a workflow of the maximum size names that many assets.
    missing: { openTo: GATEWAYS, maxBytes: 'body' },
    hold: { openTo: GATEWAYS, maxBytes: 'body' },
    nearNames: { openTo: GATEWAYS },
    releaseHolds: { openTo: GATEWAYS },
  },
  controller: AssetsController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of gateways to the assets service, except the byte routes. */
export function servedAssets(assets: AssetsPort): readonly ServedContext[] {
  return [{ ...ASSETS_CALLS, providers: [{ provide: ASSETS_PORT, useValue: assets }] }];
}
