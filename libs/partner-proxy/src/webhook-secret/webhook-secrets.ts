import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountId, Secret } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { PROXY_POOL } from '../proxy-pool.js';

/** The pepper of keys: secrets are derived from it, and none of them is stored. */
export const PROXY_PEPPER = Symbol('ProxyPepper');

const SALT_BYTES = 32;
const keepSaltSql = `
insert into partner_proxy.webhook_salt (account_id, salt) values ($1, $2)
on conflict (account_id) do update set account_id = excluded.account_id returning salt`;
const changeSaltSql = `
insert into partner_proxy.webhook_salt (account_id, salt) values ($1, $2)
on conflict (account_id) do update set salt = excluded.salt, changed_at = heddle.clock_now_ms() returning salt`;

/** The key of each account that signs its callbacks. */
@Injectable()
export class WebhookSecrets {
  constructor(
    @Inject(PROXY_POOL) private readonly pool: Pool,
    @Inject(PROXY_PEPPER) private readonly pepper: Secret,
  ) {}

  async keyOf(accountId: AccountId): Promise<Buffer> {
    return await this.#key(keepSaltSql, accountId);
  }

  /** A new one. The earlier one signs no more. */
  async renew(accountId: AccountId): Promise<Buffer> {
    return await this.#key(changeSaltSql, accountId);
  }

  async #key(sql: string, accountId: AccountId): Promise<Buffer> {
    const { rows } = await this.pool.query<{ salt: Buffer }>(sql, [accountId, randomBytes(SALT_BYTES)]);
    return createHmac('sha256', this.pepper.reveal())
      .update(`heddle webhook secret:${accountId}:`)
      .update(rows[0]!.salt)
      .digest();
  }
}
