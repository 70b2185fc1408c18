import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountId, Secret } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { PROXY_POOL } from '../proxy-pool.js';

/** The pepper of keys: secrets are derived from it, and none of them is stored. */
export const PROXY_PEPPER = Symbol('ProxyPepper');

const SALT_BYTES = 32;
const saltSql = `select salt from partner_proxy.webhook_salt where account_id = $1`;
/** Two first readers get the one salt that is kept. */
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
    const { rows } = await this.pool.query<{ salt: Buffer }>(saltSql, [accountId]);
    return this.#key(accountId, rows[0]?.salt ?? (await this.#made(keepSaltSql, accountId)));
  }

  /** A new one. The earlier one signs no more. */
  async renew(accountId: AccountId): Promise<Buffer> {
    return this.#key(accountId, await this.#made(changeSaltSql, accountId));
  }

  async #made(sql: string, accountId: AccountId): Promise<Buffer> {
    const { rows } = await this.pool.query<{ salt: Buffer }>(sql, [accountId, randomBytes(SALT_BYTES)]);
    return rows[0]!.salt;
  }

  #key(accountId: AccountId, salt: Buffer): Buffer {
    const hmac = createHmac('sha256', this.pepper.reveal()).update(`heddle webhook secret:${accountId}:`);
    return hmac.update(salt).digest();
  }
}
