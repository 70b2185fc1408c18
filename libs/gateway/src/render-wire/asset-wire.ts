import type { AssetWire } from '@heddle/contracts-api-v2';
import type { AssetView, MintedAsset } from '@heddle/contracts-messages';
import { contentUrl } from './links.js';
import type { RenderContext } from './render-context.js';
import { urlExpiresAt } from './url-expiry.js';

export function assetWire(asset: AssetView, { base, urlExpiry }: RenderContext): AssetWire {
  return {
    id: asset.id,
    hash: asset.hash,
    size_bytes: asset.sizeBytes,
    content_type: asset.contentType,
    created_at: asset.createdAt,
    url: contentUrl(base, asset.id),
    url_expires_at: urlExpiresAt(urlExpiry),
    file_path: asset.filePath,
    expires_at: asset.expiresAt,
    tags: asset.tags,
    job_id: asset.jobId,
  };
}

export function renderAsset(asset: AssetView, context: RenderContext): string {
  return JSON.stringify(assetWire(asset, context));
}

/** `createdNew` is about bytes: an upload's `created`; a mint never adds bytes. */
export function renderMinted({ asset }: MintedAsset, createdNew: boolean, context: RenderContext): string {
  return JSON.stringify({ ...assetWire(asset, context), created_new: createdNew });
}
