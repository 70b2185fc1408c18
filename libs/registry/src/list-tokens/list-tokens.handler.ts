import { Inject, Injectable } from '@nestjs/common';
import type { TokenWire } from '@heddle/contracts-registry';
import type { Pool } from 'pg';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { listTokensSql } from '../authorize/token-rows.sql.js';
import type { TokenRow } from '../authorize/token-rows.sql.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { renderToken } from '../render-wire/token-wire.js';

/** The tokens of a publisher that are good. */
@Injectable()
export class ListTokensHandler {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly membership: Membership,
  ) {}

  async handle(publisher: string, caller: RegistryCaller): Promise<readonly TokenWire[]> {
    await this.membership.owner(caller, publisher);
    const { rows } = await this.pool.query<TokenRow>(listTokensSql, [publisher]);
    return rows.map(renderToken);
  }
}
