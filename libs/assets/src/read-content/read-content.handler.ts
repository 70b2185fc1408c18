import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { accepted, isUuid, notFound, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetView, ContentRange, Principal } from '@heddle/contracts-messages';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { ASSET_COLUMNS, assetView, IS_LIVE } from '../assets-database/asset-row.js';
import type { AssetRow } from '../assets-database/asset-row.js';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { Statement } from '../assets-database/assets-database.js';
import { AssetUrls } from '../sign-url/asset-urls.js';

type ContentRow = AssetRow & { readonly object_key: BlobKey; readonly damaged: boolean };

/** Parameters: asset, account. */
const FIND_CONTENT: Statement = {
  name: 'assets.find_content',
  text: `select ${ASSET_COLUMNS}, b.object_key, b.damaged_at is not null as damaged from assets.asset a join assets.blob b on b.hash = a.hash
         where a.id = $1 and a.account_id = $2 and ${IS_LIVE}
           and not exists (select from assets.verdict v where v.hash = a.hash and v.blocked)`,
};

/** The bytes of a live record; blocked bytes count as missing (decisions, Moderation). */
@Injectable()
export class ReadContentHandler {
  constructor(
    private readonly database: AssetsDatabase,
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

  async #find(principal: Principal, assetId: AssetId): Promise<Answer<ContentRow>> {
    if (!isUuid(assetId)) return notFound();
    const [row] = await this.database.query<ContentRow>(FIND_CONTENT, [assetId, principal.accountId]);
    if (row === undefined) return notFound();
    // Never serves bytes that do not match the hash.
    if (row.damaged) return rejected(refuse('upstream_error', { case: 'content_damaged' }));
    return accepted(row);
  }
}
