import { Injectable } from '@nestjs/common';
import { newUuid } from '@heddle/contracts-messages';
import type { PublisherWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { createPublisher } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { NodeReads } from '../find-nodes/node-reads.js';
import { renderPublisher } from '../render-wire/publisher-wire.js';
import { RegistrySettings } from '../settings.js';
import type { PublisherBody } from './publisher-body.dto.js';

/** Two requests of one account must not both find room. */
const lockAccountSql = `select pg_advisory_xact_lock(hashtextextended('registry publishers of ' || $1::text, 0))`;
const countSql = `select count(*)::int as owned from registry.member where account_id = $1 and role = 'owner'`;
const insertOwnerSql = `
insert into registry.member (member_id, publisher_id, account_id, role) values ($1, $2, $3, 'owner')`;

/** A publisher, which belongs to the account that makes it. */
@Injectable()
export class CreatePublisherHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly nodes: NodeReads,
    private readonly settings: RegistrySettings,
  ) {}

  async handle(caller: RegistryCaller, body: PublisherBody): Promise<PublisherWire> {
    const accountId = this.membership.account(caller);
    const id = body.id as string;
    await this.log.commit(async (unit) => {
      await unit.client.query(lockAccountSql, [accountId]);
      const { rows } = await unit.client.query<{ owned: number }>(countSql, [accountId]);
      const limit = this.settings.publishers;
      const data = { actor: actorOf(caller), publisher_id: id, account_id: accountId };
      const isNew = await unit.createPublisher(createPublisher(data).events, body.toProfile());
      if (!isNew) throw registryRefusal('publisher_exists', { case: 'publisher', id });
      if (rows[0]!.owned >= limit) throw registryRefusal('publisher_limit', { case: 'publishers', limit });
      await unit.client.query(insertOwnerSql, [newUuid(), id, accountId]);
    });
    return renderPublisher((await this.nodes.publisher(id))!);
  }
}
