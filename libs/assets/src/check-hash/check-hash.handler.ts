import { Injectable } from '@nestjs/common';
import { isBlobHash } from '@heddle/assets-domain';
import type { Principal } from '@heddle/contracts-messages';
import { IS_LIVE } from '../assets-database/asset-row.js';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { Statement } from '../assets-database/assets-database.js';
import { IS_DAMAGED } from '../scrub-blobs/scrub-blobs.sql.js';

/** A row if the account may mint. Parameters: account, hash. */
const MAY_MINT: Statement = {
  name: 'assets.may_mint',
  text: `select from assets.asset a where a.hash = $2 and a.account_id = $1 and ${IS_LIVE}
           and not exists (select from assets.verdict v where v.hash = $2 and v.blocked) and not ${IS_DAMAGED} limit 1`,
};

/**
 * True if the account may mint from a blob: it has a live record over it, uploaded, minted or received as a job's
 * output, and the bytes are neither blocked nor damaged. Unknown, foreign, blocked and malformed hashes get the same
 * answer (api-v2, HEAD by-hash).
 */
@Injectable()
export class CheckHashHandler {
  constructor(private readonly database: AssetsDatabase) {}

  async handle(principal: Principal, hash: string): Promise<boolean> {
    if (!isBlobHash(hash)) return false;
    return (await this.database.query(MAY_MINT, [principal.accountId, hash])).length > 0;
  }
}
