import { Injectable } from '@nestjs/common';
import { accepted, isUuid, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetId, JobId, JobInput, Principal, WantedAssets } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { FIND_LIVE, PLACE_HOLDS, RELEASE_PROVISIONAL } from './hold-assets.sql.js';
import type { FoundInputRow } from './hold-assets.sql.js';

/**
 * Holds a job's inputs from before its submission is decided until its end (docs/architecture/04-assets-and-blobs.md,
 * Holds).
 */
@Injectable()
export class HoldAssetsHandler {
  constructor(private readonly database: AssetsDatabase) {}

  async handle(principal: Principal, jobId: JobId, wanted: WantedAssets): Promise<Answer<readonly JobInput[]>> {
    const ids = [...new Set(wanted.ids)];
    const names = [...new Set(wanted.names)];
    const malformed = ids.filter((id) => !isUuid(id));
    if (malformed.length > 0) {
      return missingAssets(await this.missing(principal, ids));
    }
    const values = [jobId, principal.accountId, ids, names];
    const rows = await this.database.query<FoundInputRow>(PLACE_HOLDS, values);
    const found = new Set(rows.filter((row) => row.name === null).map((row) => row.id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) return missingAssets(missing);
    return accepted(rows.map(jobInput));
  }

  /** Ids that are not live records of the account, in request order, without duplicates. */
  async missing(principal: Principal, assetIds: readonly AssetId[]): Promise<readonly AssetId[]> {
    const ids = [...new Set(assetIds)];
    const wellFormed = ids.filter(isUuid);
    const rows = await this.database.query<{ readonly id: AssetId }>(FIND_LIVE, [principal.accountId, wellFormed]);
    const live = new Set(rows.map((row) => row.id));
    return ids.filter((id) => !live.has(id));
  }

  /** Called after a refused submission. */
  async release(jobId: JobId): Promise<void> {
    await this.database.query(RELEASE_PROVISIONAL, [jobId]);
  }
}

function jobInput(row: FoundInputRow): JobInput {
  const { id, hash, name } = row;
  return { assetId: id, hash, sizeBytes: row.size_bytes, filePath: row.file_path, name };
}

function missingAssets(ids: readonly AssetId[]): Answer<never> {
  return rejected(refuse('missing_asset', { case: 'unknown', ids }, { details: { missing_ids: ids } }));
}
