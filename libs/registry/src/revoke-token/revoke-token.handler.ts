import { Inject, Injectable } from '@nestjs/common';
import { isCredentialId } from '@heddle/platform-credentials';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { Pool } from 'pg';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { revokeTokenSql } from '../authorize/token-rows.sql.js';
import { REGISTRY_POOL } from '../registry-pool.js';

/** The end of a token. A banned publisher can end its tokens too. */
@Injectable()
export class RevokeTokenHandler {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly membership: Membership,
  ) {}

  /** Again: nothing more happens. */
  async handle(publisher: string, tokenId: string, caller: RegistryCaller): Promise<void> {
    await this.membership.owner(caller, publisher);
    const isId = isCredentialId(tokenId);
    const found = isId ? await this.pool.query(revokeTokenSql, [tokenId, publisher]) : null;
    if (found?.rowCount !== 1) throw registryRefusal('not_found', { case: 'token', id: tokenId });
  }
}
