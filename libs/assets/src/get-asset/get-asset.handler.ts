import { Injectable } from '@nestjs/common';
import { accepted, isUuid, notFound } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetView, Principal } from '@heddle/contracts-messages';
import type { BlobKey } from '@heddle/platform-blob-store';
import { ASSET_COLUMNS, assetView, IS_LIVE } from '../assets-database/asset-row.js';
import type { AssetRow } from '../assets-database/asset-row.js';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { Statement } from '../assets-database/assets-database.js';
import { AssetUrls, readableObjectOf } from '../sign-url/asset-urls.js';

type ReadableRow = AssetRow & { readonly object_key: BlobKey | null };

/** The record, and the object of its bytes if they may be read. Parameters: asset, account. */
const GET_ASSET: Statement = {
  name: 'assets.get_asset',
  text: `select ${ASSET_COLUMNS}, (${readableObjectOf('a.hash')}) as object_key
         from assets.asset a where a.id = $1 and a.account_id = $2 and ${IS_LIVE}`,
};

/** One live record of the account (api-v2, GET /assets/{id}). */
@Injectable()
export class GetAssetHandler {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly urls: AssetUrls,
  ) {}

  async handle(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>> {
    if (!isUuid(assetId)) return notFound();
    const [row] = await this.database.query<ReadableRow>(GET_ASSET, [assetId, principal.accountId]);
    if (row === undefined) return notFound();
    const asset = assetView(row);
    return accepted(row.object_key === null ? asset : await this.urls.withUrlOf(principal, asset, row.object_key));
  }
}
