import { Injectable } from '@nestjs/common';
import { newUuid } from '@heddle/contracts-messages';
import type { MemberRole, PublisherWire } from '@heddle/contracts-registry';
import { checkedBody } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { writingPublisher } from '../authorize/write-checks.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit } from '../commit-events/registry-unit.js';
import { NodeReads } from '../find-nodes/node-reads.js';
import type { GivenFields } from '../read-request/node-body.dto.js';
import { renderPublisher } from '../render-wire/publisher-wire.js';
import { FindAccount } from './find-account.js';

/** A member that is one already gets the role. */
const setMemberSql = `
insert into registry.member values ($1, $2, $3, $4)
on conflict (publisher_id, account_id) do update set role = excluded.role`;
const removeSql = `
delete from registry.member where publisher_id = $1 and member_id::text = $2 returning 1`;
const ownersSql = `select count(*)::int as owners from registry.member where publisher_id = $1 and role = 'owner'`;

/** Who belongs to a publisher. One change at a time, so that one owner is always left. */
@Injectable()
export class MembersHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly accounts: FindAccount,
    private readonly nodes: NodeReads,
  ) {}

  async add(publisher: string, caller: RegistryCaller, fields: GivenFields): Promise<PublisherWire> {
    await this.membership.owner(caller, publisher);
    const load = async () => (await import('./member-body.dto.js')).MemberBody;
    await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher, 'update');
      const { account, role } = (await checkedBody(fields, load)).toMember();
      await this.#set(unit, publisher, account, role);
    });
    return renderPublisher((await this.nodes.publisher(publisher))!);
  }

  async #set(unit: RegistryUnit, publisher: string, account: string, role: MemberRole): Promise<void> {
    const accountId = await this.accounts.id(account);
    await unit.client.query(setMemberSql, [newUuid(), publisher, accountId, role]);
    await assertOwned(unit, publisher);
  }

  async remove(publisher: string, memberId: string, caller: RegistryCaller): Promise<void> {
    await this.membership.owner(caller, publisher);
    await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher, 'update');
      const { rowCount } = await unit.client.query(removeSql, [publisher, memberId]);
      if (rowCount === 0) throw registryRefusal('not_found', { case: 'member', id: memberId });
      await assertOwned(unit, publisher);
    });
  }
}

async function assertOwned({ client }: RegistryUnit, publisher: string): Promise<void> {
  const { rows } = await client.query<{ owners: number }>(ownersSql, [publisher]);
  if (rows[0]!.owners === 0) throw registryRefusal('last_owner', { case: 'member' });
}
