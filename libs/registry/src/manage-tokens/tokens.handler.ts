import { Inject, Injectable } from '@nestjs/common';
import type { TokenWire } from '@heddle/contracts-registry';
import { isCredentialId } from '@heddle/platform-credentials';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { Pool } from 'pg';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { listTokensSql, revokeTokenSql } from '../authorize/token-rows.sql.js';
import type { TokenRow } from '../authorize/token-rows.sql.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { renderToken } from '../render-wire/token-wire.js';

/** The tokens of a publisher that are good, and the end of one. A banned publisher can end its tokens too. */
@Injectable()
export class TokensHandler {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly membership: Membership,
  ) {}

  async list(publisher: string, caller: RegistryCaller): Promise<readonly TokenWire[]> {
    await this.membership.owner(caller, publisher);
    const { rows } = await this.pool.query<TokenRow>(listTokensSql, [publisher]);
    return rows.map(renderToken);
  }

  /** Again: nothing more happens. */
  async revoke(publisher: string, tokenId: string, caller: RegistryCaller): Promise<void> {
    await this.membership.owner(caller, publisher);
    const isId = isCredentialId(tokenId);
    const found = isId ? await this.pool.query(revokeTokenSql, [tokenId, publisher]) : null;
    if (found?.rowCount !== 1) throw registryRefusal('not_found', { case: 'token', id: tokenId });
  }
}
