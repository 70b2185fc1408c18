import { Inject, Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import type { MemberRole, TokenAction } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { nodeKey } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { VerifiedToken, RegistryCaller } from './caller.js';

const roleSql = `
select p.publisher_id, m.role from registry.publisher p
left join registry.member m on m.publisher_id = p.publisher_id and m.account_id = $2
where p.publisher_id = $1`;

/** What a caller may do for a publisher. Each check throws its refusal. */
@Injectable()
export class Membership {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  /** The account of a route that needs one; a publisher's token is none. */
  account({ accountId, token }: RegistryCaller): AccountId {
    if (token !== null) throw registryRefusal('invalid_token', { case: 'token' });
    if (accountId === null) throw registryRefusal('unauthorized', { case: 'credential' });
    return accountId;
  }

  /** Null: not a member. Throws for an unknown publisher. */
  async roleOf(publisher: string, accountId: AccountId | null): Promise<MemberRole | null> {
    const { rows } = await this.pool.query<{ role: MemberRole | null }>(roleSql, [publisher, accountId]);
    if (rows[0] === undefined) throw registryRefusal('not_found', { case: 'publisher', id: publisher });
    return rows[0].role;
  }

  /** Members see more; strangers and callers of unknown publishers are none. */
  async isMember({ token, accountId }: RegistryCaller, publisher: string): Promise<boolean> {
    if (token !== null) return token.publisherId === publisher;
    return accountId !== null && (await this.roleOf(publisher, accountId)) !== null;
  }

  async owner(caller: RegistryCaller, publisher: string): Promise<AccountId> {
    const accountId = this.account(caller);
    if ((await this.roleOf(publisher, accountId)) !== 'owner')
      throw registryRefusal('forbidden', { case: 'role', publisher });
    return accountId;
  }

  /** A member, or a token of the publisher with the action for the node. */
  async member(caller: RegistryCaller, publisher: string, action: TokenAction, nodeId: string): Promise<void> {
    if (caller.token === null) {
      const accountId = this.account(caller);
      const role = await this.roleOf(publisher, accountId);
      if (role === null) throw registryRefusal('forbidden', { case: 'member', publisher });
      if (role === 'member' && action === 'delete') throw registryRefusal('forbidden', { case: 'role', publisher });
      return;
    }
    if (caller.token.publisherId !== publisher) throw registryRefusal('invalid_token', { case: 'token' });
    tokenMay(caller.token, action, nodeId);
  }
}

/** Throws unless a token has the action for the node. */
export function tokenMay({ actions, nodes }: VerifiedToken, action: TokenAction, nodeId: string): void {
  if (!actions.includes(action)) throw registryRefusal('forbidden', { case: 'action', action });
  if (nodes !== null && !nodes.includes(nodeKey(nodeId)))
    throw registryRefusal('forbidden', { case: 'token_node', id: nodeId });
}
