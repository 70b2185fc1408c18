import type { TokenAction, TokenWire } from '@heddle/contracts-registry';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import type { TokenRow } from '../authorize/token-rows.sql.js';

/** A token as lists show it: neither its secret nor its digest is in it. */
export function renderToken(row: TokenRow): TokenWire {
  return {
    id: row.token_id,
    prefix: `${PUBLISHER_TOKEN.prefix}${row.token_id}`,
    name: row.name,
    description: row.description,
    nodes: row.nodes ?? [],
    actions: row.actions as readonly TokenAction[],
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? '',
  };
}
