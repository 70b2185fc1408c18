import { Injectable } from '@nestjs/common';
import { decideDeletion } from '@heddle/assets-domain';
import { accepted, isUuid, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetId, JobId, Principal } from '@heddle/contracts-messages';
import { AssetsDatabase, keep, undo } from '../assets-database/assets-database.js';
import { noSuchAsset } from '../get-asset/no-such-asset.js';
import { DELETE_ASSET, FIND_HOLDERS, LOCK_ASSET, RECORD_USE } from './delete-asset.sql.js';
import type { RecordUseRow } from './delete-asset.sql.js';

/** Deletes the record alone; its bytes stay for whoever else refers to them (api-v2, Asset rule 2). */
@Injectable()
export class DeleteAssetHandler {
  constructor(private readonly database: AssetsDatabase) {}

  async handle(principal: Principal, assetId: AssetId, endedJobs: readonly JobId[] = []): Promise<Answer<null>> {
    if (!isUuid(assetId)) return noSuchAsset();
    return this.database.transaction<Answer<null>>(async (session) => {
      const locked = await session.query(LOCK_ASSET, [assetId, principal.accountId]);
      if (locked.length === 0) return undo(noSuchAsset());
      const [row] = await session.query<RecordUseRow>(RECORD_USE, [assetId, endedJobs]);
      const use = {
        heldByJob: row!.held_by_job,
        outputOfRetainedJob: row!.output_of_retained_job,
        moderationHold: row!.moderation_hold,
      };
      if (decideDeletion(use) === 'asset_in_use') return undo(rejected('asset_in_use', 'the asset is in use'));
      await session.query(DELETE_ASSET, [assetId]);
      return keep(accepted(null));
    });
  }

  /** Jobs whose input the asset is, as far as this service has heard. */
  async holders({ accountId }: Principal, assetId: AssetId): Promise<readonly JobId[]> {
    if (!isUuid(assetId)) return [];
    const rows = await this.database.query<{ readonly job_id: JobId }>(FIND_HOLDERS, [assetId, accountId]);
    return rows.map((row) => row.job_id);
  }
}
