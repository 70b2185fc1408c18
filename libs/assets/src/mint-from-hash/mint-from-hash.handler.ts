import { Injectable } from '@nestjs/common';
import {
  expiresInProblem,
  filePathProblem,
  isBlobHash,
  retentionSeconds,
  tagSet,
  tagsProblem,
} from '@heddle/assets-domain';
import { accepted, BLOB_HASH_RULE, invalidFields, newUuid, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, MintedAsset, MintRequest, Principal } from '@heddle/contracts-messages';
import { assetView } from '../assets-database/asset-row.js';
import type { AssetRow } from '../assets-database/asset-row.js';
import { AssetsDatabase, keep, undo } from '../assets-database/assets-database.js';
import type { Ending, Session } from '../assets-database/assets-database.js';
import { withinStorage } from '../limit-storage/within-storage.js';
import { AssetsSettings } from '../settings.js';
import { EXTEND_REFERENCE, FIND_REFERENCE, LOCK_BLOB, MINT_REFERENCE } from './mint-from-hash.sql.js';
import type { ReferenceRow } from './mint-from-hash.sql.js';

const blobNotFound = (): Answer<MintedAsset> => rejected(refuse('blob_not_found', { case: 'hash' }));

/** Mints a record over bytes that the account may already use, without an upload (api-v2, POST from-hash). */
@Injectable()
export class MintFromHashHandler {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
  ) {}

  async handle(principal: Principal, request: MintRequest): Promise<Answer<MintedAsset>> {
    const problems = problemsOf(request);
    if (Object.keys(problems).length > 0) return { ok: false, rejection: invalidFields(problems) };
    const wanted = [principal.accountId, request.hash, request.filePath, tagSet(request.tags)];
    // Most requests end here, without a transaction: nothing to mint from, or the reference exists.
    const [found] = await this.database.query<ReferenceRow>(FIND_REFERENCE, wanted);
    if (found === undefined) return blobNotFound();
    if (found.id !== null && request.expiresIn === null) return accepted({ asset: assetView(found), created: false });
    const minted = await withinStorage(this.database, this.settings, async () =>
      this.database.transaction(async (session) => this.#mint(session, principal, request, wanted)),
    );
    return minted.ok ? minted.value : minted;
  }

  async #mint(
    session: Session,
    principal: Principal,
    request: MintRequest,
    wanted: readonly unknown[],
  ): Promise<Ending<Answer<MintedAsset>>> {
    await session.query(LOCK_BLOB, [request.hash]);
    const [found] = await session.query<ReferenceRow>(FIND_REFERENCE, wanted);
    if (found === undefined) return undo(blobNotFound());
    if (found.id !== null) {
      if (request.expiresIn === null || found.expires_at === null) {
        return undo(accepted({ asset: assetView(found), created: false }));
      }
      const [extended] = await session.query<AssetRow>(EXTEND_REFERENCE, [found.id, request.expiresIn]);
      return keep(accepted({ asset: assetView(extended!), created: false }));
    }
    const [minted] = await session.query<AssetRow>(MINT_REFERENCE, [
      newUuid(),
      principal.accountId,
      principal.deploymentId,
      request.hash,
      found.source_size,
      found.source_type,
      found.target_path,
      request.tags,
      tagSet(request.tags),
      retentionSeconds(request.expiresIn, this.settings.retentionOf(principal.deploymentId)),
    ]);
    return keep(accepted({ asset: assetView(minted!), created: true }));
  }
}

function problemsOf(request: MintRequest): Record<string, string> {
  const problems: Record<string, string> = {};
  const note = (name: string, problem: string | null): void => {
    if (problem !== null) problems[name] = problem;
  };
  note('hash', isBlobHash(request.hash) ? null : BLOB_HASH_RULE);
  note('file_path', request.filePath === null ? null : filePathProblem(request.filePath));
  note('tags', tagsProblem(request.tags));
  note('expires_in', request.expiresIn === null ? null : expiresInProblem(request.expiresIn));
  return problems;
}
