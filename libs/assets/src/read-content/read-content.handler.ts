import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { accepted, notFound, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetView, ContentRange, Principal } from '@heddle/contracts-messages';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { AssetReads } from '../assets-database/asset-reads.js';
import type { FoundAsset } from '../assets-database/asset-reads.js';
import { assetView } from '../assets-database/asset-row.js';
import { AssetUrls } from '../sign-url/asset-urls.js';

type ReadableAsset = FoundAsset & { readonly object_key: BlobKey };

/** The bytes of a live record; blocked bytes count as missing (decisions, Moderation). */
@Injectable()
export class ReadContentHandler {
  constructor(
    private readonly reads: AssetReads,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly urls: AssetUrls,
  ) {}

  async handle(principal: Principal, assetId: AssetId): Promise<Answer<AssetView>> {
    const found = await this.#find(principal, assetId);
    if (!found.ok) return found;
    return accepted(await this.urls.withUrlOf(principal, assetView(found.value), found.value.object_key));
  }

  async bytes(principal: Principal, assetId: AssetId, range?: ContentRange): Promise<Answer<Readable>> {
    const found = await this.#find(principal, assetId);
    return found.ok ? accepted(await this.store.read(found.value.object_key, range)) : found;
  }

  async #find(principal: Principal, assetId: AssetId): Promise<Answer<ReadableAsset>> {
    const found = await this.reads.find(principal, assetId);
    if (found === undefined || !hasBytes(found) || found.blocked) return notFound();
    // Never serves bytes that do not match the hash.
    if (found.damaged) return rejected(refuse('upstream_error', { case: 'content_damaged' }));
    return accepted(found);
  }
}

function hasBytes(found: FoundAsset): found is ReadableAsset {
  return found.object_key !== null;
}
