import { Injectable } from '@nestjs/common';
import { isUuid } from '@heddle/contracts-messages';
import type { AccountId, AssetId, Principal } from '@heddle/contracts-messages';
import type { BlobKey } from '@heddle/platform-blob-store';
import { SharedReads } from '@heddle/platform-database';
import { ASSET_COLUMNS, IS_LIVE } from './asset-row.js';
import type { AssetRow } from './asset-row.js';
import { AssetsDatabase } from './assets-database.js';
import type { Statement } from './assets-database.js';

/** A live record, and what is known of its bytes. */
export interface FoundAsset extends AssetRow {
  /** Null: there are no bytes. */
  readonly object_key: BlobKey | null;
  /** The bytes do not match the hash. */
  readonly damaged: boolean;
  readonly blocked: boolean;
}

/** Parameters: assets, and the account of each. */
const FIND_ASSETS: Statement = {
  name: 'assets.find_assets',
  text: `select one.* from unnest($1::uuid[], $2::uuid[]) as k (id, account_id) cross join lateral (
           select ${ASSET_COLUMNS}, b.object_key, b.damaged_at is not null as damaged,
             exists (select from assets.verdict v where v.hash = a.hash and v.blocked) as blocked
           from assets.asset a left join assets.blob b on b.hash = a.hash
           where a.id = k.id and a.account_id = k.account_id and ${IS_LIVE}
         ) one`,
};

/** Reads single records: requests that come at once share a statement. */
@Injectable()
export class AssetReads {
  readonly #reads = new SharedReads((keys) => this.#read(keys));

  constructor(private readonly database: AssetsDatabase) {}

  /** Resolves with undefined if the account has no live record with this id. */
  async find({ accountId }: Principal, assetId: AssetId): Promise<FoundAsset | undefined> {
    return isUuid(assetId) ? await this.#reads.find(keyOf(assetId, accountId)) : undefined;
  }

  async #read(keys: readonly string[]): Promise<ReadonlyMap<string, FoundAsset>> {
    const asked = keys.map((key) => key.split(' '));
    const values = [asked.map(([assetId]) => assetId), asked.map(([, accountId]) => accountId)];
    const rows = await this.database.query<FoundAsset>(FIND_ASSETS, values);
    return new Map(rows.map((row) => [keyOf(row.id, row.account_id), row]));
  }
}

function keyOf(assetId: AssetId, accountId: AccountId): string {
  return `${assetId} ${accountId}`;
}
