import { Inject, Injectable } from '@nestjs/common';
import { SURFACES, surfaceOf } from '@heddle/contracts-messages';
import type { AssetView, Principal } from '@heddle/contracts-messages';
import { BLOB_STORE, endOf, urlLife } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { Statement } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';

interface ObjectRow {
  readonly object_key: BlobKey;
}

/** The object of bytes that may be read. Parameter: hash. */
const FIND_READABLE: Statement = {
  name: 'assets.find_readable',
  text: `select b.object_key from assets.blob b where b.hash = $1 and b.damaged_at is null
           and not exists (select from assets.verdict v where v.hash = b.hash and v.blocked)`,
};

/** Gives records their signed URL, a fresh one each time, on surfaces that redirect to it (accounts, Signed URL). */
@Injectable()
export class AssetUrls {
  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
  ) {}

  /** Without a URL on other surfaces, and for blocked bytes. */
  async withUrl(principal: Principal, asset: AssetView): Promise<AssetView> {
    if (!isRedirected(principal)) return asset;
    const [row] = await this.database.query<ObjectRow>(FIND_READABLE, [asset.hash]);
    return row === undefined ? asset : await this.withUrlOf(principal, asset, row.object_key);
  }

  /** The same without a look-up: the caller has read the object's key, and knows that its bytes may be read. */
  async withUrlOf(principal: Principal, asset: AssetView, key: BlobKey): Promise<AssetView> {
    if (!isRedirected(principal)) return asset;
    const endsAt = asset.expiresAt === null ? null : new Date(asset.expiresAt);
    const life = urlLife(new Date(), this.settings.signedUrlSeconds, endsAt);
    const url = await this.store.signedUrl(key, { filePath: asset.filePath, life });
    return { ...asset, signedUrl: { url, expiresAt: endOf(life).toISOString() } };
  }
}

function isRedirected({ deploymentId }: Principal): boolean {
  return SURFACES[surfaceOf(deploymentId)].content === 'redirect';
}
