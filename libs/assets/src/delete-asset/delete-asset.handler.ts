import { Inject, Injectable } from '@nestjs/common';
import { decideDeletion } from '@heddle/assets-domain';
import { accepted, isUuid, JOB_LOG_PORT, MAX_ASKED_ENDS, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetId, JobId, JobLogPort, Principal } from '@heddle/contracts-messages';
import { AssetsDatabase, keep, undo } from '../assets-database/assets-database.js';
import { noSuchAsset } from '../get-asset/no-such-asset.js';
import { DELETE_ASSET, FIND_HOLDERS, LOCK_ASSET, RECORD_USE, RELEASE_ENDED } from './delete-asset.sql.js';
import type { RecordUseRow } from './delete-asset.sql.js';

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** `held`: only jobs that may have ended stand against it. */
type Verdict = Answer<null> | 'held';

/** Deletes the record alone; its bytes stay for whoever else refers to them (api-v2, Asset rule 2). */
@Injectable()
export class DeleteAssetHandler {
  constructor(
    private readonly database: AssetsDatabase,
    @Inject(JOB_LOG_PORT) private readonly jobLog: JobLogPort,
  ) {}

  /**
   * An ended job holds nothing (decisions, Holds). This service hears of an end after the client does, and not at all while the bus
   * is away: where only holds stand against a deletion, the jobs service is asked about all of them.
   */
  async handle(principal: Principal, assetId: AssetId): Promise<Answer<null>> {
    if (!isUuid(assetId)) return noSuchAsset();
    const verdict = await this.#delete(principal, assetId);
    if (verdict !== 'held') return verdict;
    if (!(await this.#releaseEnded(principal, assetId))) return inUse();
    const again = await this.#delete(principal, assetId);
    // A new job was faster.
    return again === 'held' ? inUse() : again;
  }

  async #delete({ accountId }: Principal, assetId: AssetId): Promise<Verdict> {
    return await this.database.transaction<Verdict>(async (session) => {
      const locked = await session.query(LOCK_ASSET, [assetId, accountId]);
      if (locked.length === 0) return undo(noSuchAsset());
      const [row] = await session.query<RecordUseRow>(RECORD_USE, [assetId]);
      const use = {
        heldByJob: row!.held_by_job,
        outputOfRetainedJob: row!.output_of_retained_job,
        moderationHold: row!.moderation_hold,
      };
      if (decideDeletion({ ...use, heldByJob: false }) === 'asset_in_use') return undo(inUse());
      if (decideDeletion(use) === 'asset_in_use') return undo('held');
      await session.query(DELETE_ASSET, [assetId]);
      return keep(accepted(null));
    });
  }

  /** True where no holder is left. However many there are, each question is bounded. */
  async #releaseEnded({ accountId }: Principal, assetId: AssetId): Promise<boolean> {
    for (let behind: string = BEFORE_ALL; ;) {
      const values = [assetId, accountId, behind, MAX_ASKED_ENDS];
      const rows = await this.database.query<{ readonly job_id: JobId }>(FIND_HOLDERS, values);
      const holders = rows.map((row) => row.job_id);
      if (holders.length === 0) return true;
      const ended = await this.jobLog.endedOf(holders);
      if (ended.length > 0) await this.database.query(RELEASE_ENDED, [ended]);
      if (ended.length < holders.length) return false;
      behind = holders.at(-1)!;
    }
  }
}

function inUse(): Answer<null> {
  return rejected('asset_in_use', 'the asset is in use');
}
