import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TokenAction } from '@heddle/contracts-registry';
import { CredentialDigest, PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { VerifiedToken } from './caller.js';
import { findTokenSql, noteUseSql } from './token-rows.sql.js';
import type { FoundToken } from './token-rows.sql.js';

/** Whose a publisher's token is. The checksum comes first, so that noise costs no look-up. */
@Injectable()
export class TokenCheck {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly digest: CredentialDigest,
  ) {}

  /** Null: malformed, unknown, revoked or expired. */
  async find(text: string): Promise<VerifiedToken | null> {
    const tokenId = PUBLISHER_TOKEN.idIn(text);
    if (tokenId === null) return null;
    const { rows } = await this.pool.query<FoundToken>(findTokenSql, [tokenId]);
    const row = rows[0];
    if (row === undefined || !timingSafeEqual(row.digest, this.digest.of(text))) return null;
    if (!row.is_noted) await this.pool.query(noteUseSql, [tokenId]);
    const actions = row.actions as TokenAction[];
    return { tokenId, publisherId: row.publisher_id, nodes: row.nodes, actions };
  }
}
