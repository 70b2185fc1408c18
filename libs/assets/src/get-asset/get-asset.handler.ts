import { Injectable } from '@nestjs/common';
import { accepted, notFound } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetView, Principal } from '@heddle/contracts-messages';
import { AssetReads } from '../assets-database/asset-reads.js';
import { assetView } from '../assets-database/asset-row.js';
import { AssetUrls } from '../sign-url/asset-urls.js';

/** One live record of the account (api-v2, GET /assets/{id}). */
@Injectable()
export class GetAssetHandler {
  constructor(
    private readonly reads: AssetReads,
    private readonly urls: AssetUrls,
  ) {}

  async handle(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>> {
    const found = await this.reads.find(principal, assetId);
    if (found === undefined) return notFound();
    const { object_key: key, damaged, blocked } = found;
    const asset = assetView(found);
    const mayRead = key !== null && !damaged && !blocked;
    return accepted(mayRead ? await this.urls.withUrlOf(principal, asset, key) : asset);
  }
}
