import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId, AssetId } from '@heddle/contracts-messages';
import type { AssetsDatabase, Statement } from './assets-database.js';

/** Parameters: asset, account. */
const FIND_MINTED: Statement = {
  name: 'assets.find_minted',
  text: 'select from assets.asset where id = $1 and account_id = $2',
};

/**
 * After a `CommitUnknownError`: whether the assigned id exists shows if the transaction was committed. Retried for as
 * long as a database needs to come back.
 */
export async function wasMinted(database: AssetsDatabase, assetId: AssetId, accountId: AccountId): Promise<boolean> {
  for (const waitMs of [0, 100, 400, 1_500]) {
    await delay(waitMs);
    try {
      return (await database.query(FIND_MINTED, [assetId, accountId])).length > 0;
    } catch {
      // Not there yet.
    }
  }
  return false;
}
