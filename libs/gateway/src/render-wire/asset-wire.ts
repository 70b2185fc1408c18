import type { AssetWire } from '@heddle/contracts-api-v2';
import type { AssetView, MintedAsset } from '@heddle/contracts-messages';
import { contentUrl, signedLink } from './links.js';
import type { RenderContext } from './render-context.js';
import { urlExpiresAt } from './url-expiry.js';

function assetWire(asset: AssetView, { base, urlExpiry, signedBase }: RenderContext): AssetWire {
  const { signedUrl } = asset;
  return {
    id: asset.id,
    hash: asset.hash,
    size_bytes: asset.sizeBytes,
    content_type: asset.contentType,
    created_at: asset.createdAt,
    url: signedUrl === null ? contentUrl(base, asset.id) : signedLink(signedBase, signedUrl),
    url_expires_at: signedUrl === null ? urlExpiresAt(urlExpiry) : signedUrl.expiresAt,
    file_path: asset.filePath,
    expires_at: asset.expiresAt,
    tags: asset.tags,
    job_id: asset.jobId,
  };
}

export function renderAsset(asset: AssetView, context: RenderContext): string {
  return JSON.stringify(assetWire(asset, context));
}

/** 201: the reference is new; 200: an identical one existed. */
export function mintedStatus({ created }: MintedAsset): number {
  return created ? 201 : 200;
}

/** `createdNew` is about bytes: an upload's `created`; a mint never adds bytes. */
export function renderMinted({ asset }: MintedAsset, createdNew: boolean, context: RenderContext): string {
  return JSON.stringify({ ...assetWire(asset, context), created_new: createdNew });
}
