import { Injectable } from '@nestjs/common';
import { newUuid } from '@heddle/contracts-messages';
import type { PublisherWire } from '@heddle/contracts-registry';
import { checkedBody } from '@heddle/platform-http';
import { assertOwned } from '../authorize/assert-owned.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { NodeReads } from '../find-nodes/node-reads.js';
import { writingPublisher } from '../load-for-write/written-nodes.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { renderPublisher } from '../render-wire/publisher-wire.js';
import { FindAccount } from './find-account.js';

/** A member that is one already gets the role. */
const setMemberSql = `
insert into registry.member values ($1, $2, $3, $4)
on conflict (publisher_id, account_id) do update set role = excluded.role`;

/** An account becomes a member of a publisher, or gets another role. */
@Injectable()
export class AddMemberHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly accounts: FindAccount,
    private readonly nodes: NodeReads,
  ) {}

  async handle(publisher: string, caller: RegistryCaller, fields: GivenFields): Promise<PublisherWire> {
    await this.membership.owner(caller, publisher);
    const load = async () => (await import('./member-body.dto.js')).MemberBody;
    await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher, 'update');
      const { account, role } = (await checkedBody(fields, load)).toMember();
      const accountId = await this.accounts.id(account);
      await unit.client.query(setMemberSql, [newUuid(), publisher, accountId, role]);
      await assertOwned(unit, publisher);
    });
    return renderPublisher((await this.nodes.publisher(publisher))!);
  }
}
