import type { Scope } from '@heddle/contracts-api-v2';
import type { KeyView } from '@heddle/contracts-messages';

export interface KeyRow {
  readonly key_id: string;
  readonly account: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  readonly replaces: string | null;
}

/** Of the key `k` of the account `a`. */
export const KEY_COLUMNS = `k.key_id, a.name as account, k.name, k.scopes, k.created_at, k.expires_at, k.last_used_at,
  k.revoked_at, k.replaces`;

export function keyOf(row: KeyRow): KeyView {
  return {
    keyId: row.key_id,
    account: row.account,
    name: row.name,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    replaces: row.replaces,
  };
}
