import { Inject, Injectable } from '@nestjs/common';
import { decideDeletion } from '@heddle/assets-domain';
import {
  accepted,
  isUuid,
  JOB_LOG_PORT,
  MAX_ASKED_ENDS,
  MAX_ASKED_JOBS,
  NIL_UUID,
  notFound,
  refuse,
  rejected,
} from '@heddle/contracts-messages';
import type { Answer, AssetId, JobId, JobLogPort, Principal } from '@heddle/contracts-messages';
import { AssetsDatabase, keep, undo } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { DELETE_ASSET, FIND_HOLDERS, LOCK_ASSET, RECORD_USE, RELEASE_ENDED } from './delete-asset.sql.js';
import type { HolderRow, RecordUseRow } from './delete-asset.sql.js';

const BEFORE_ALL = NIL_UUID;

/** `held`: only jobs that may have ended prevent it. */
type Verdict = Answer<null> | 'held';

/** Deletes only the record; its bytes stay for other references (api-v2, Asset rule 2). */
@Injectable()
export class DeleteAssetHandler {
  constructor(
    private readonly database: AssetsDatabase,
    @Inject(JOB_LOG_PORT) private readonly jobLog: JobLogPort,
    private readonly settings: AssetsSettings,
  ) {}

  /**
   * An ended job holds nothing (decisions, Holds). This service learns of an end after the client does, and not at all
   * while the bus is unreachable: if only holds prevent a deletion, it asks the jobs service about all of them.
   */
  async handle(principal: Principal, assetId: AssetId): Promise<Answer<null>> {
    if (!isUuid(assetId)) return notFound();
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
      if (locked.length === 0) return undo(notFound());
      const [row] = await session.query<RecordUseRow>(RECORD_USE, [assetId]);
      const use = {
        heldByJob: row!.held_by_job,
        outputOfRetainedJob: row!.output_of_retained_job,
        moderationHold: row!.moderation_hold,
      };
      if (!decideDeletion({ ...use, heldByJob: false }).ok) return undo(inUse());
      if (!decideDeletion(use).ok) return undo('held');
      await session.query(DELETE_ASSET, [assetId]);
      return keep(accepted(null));
    });
  }

  /** True if no holder is left. Each query is bounded, however many there are. */
  async #releaseEnded({ accountId }: Principal, assetId: AssetId): Promise<boolean> {
    for (let behind: string = BEFORE_ALL; ;) {
      const values = [assetId, accountId, behind, MAX_ASKED_ENDS, this.settings.provisionalHoldMs];
      const rows = await this.database.query<HolderRow>(FIND_HOLDERS, values);
      const holders = rows.map((row) => row.job_id);
      if (holders.length === 0) return true;
      const ended = new Set(await this.jobLog.endedOf(holders));
      const others = rows.filter(({ job_id }) => !ended.has(job_id));
      const gone = [...ended, ...(await this.#neverSubmitted(others))];
      if (gone.length > 0) await this.database.query(RELEASE_ENDED, [gone]);
      if (gone.length < holders.length) return false;
      behind = holders.at(-1)!;
    }
  }

  /**
   * Jobs missing from the log although their submission must be decided by now. The time in an id comes from another
   * clock.
   */
  async #neverSubmitted(holders: readonly HolderRow[]): Promise<readonly JobId[]> {
    const overdue = holders.filter(({ is_overdue }) => is_overdue).map(({ job_id }) => job_id);
    const unknown: JobId[] = [];
    for (let at = 0; at < overdue.length; at += MAX_ASKED_JOBS) {
      const asked = overdue.slice(at, at + MAX_ASKED_JOBS);
      const known = await this.jobLog.holdingsOf(asked);
      unknown.push(...asked.filter((jobId) => !known.has(jobId)));
    }
    return unknown;
  }
}

function inUse(): Answer<null> {
  return rejected(refuse('asset_in_use', { case: 'held' }));
}
